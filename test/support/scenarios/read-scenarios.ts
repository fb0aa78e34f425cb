import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ErrorObject } from 'ajv';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';
import type { CallFacts, Scenario } from './scenario.types.js';

const SCHEMA = 'scenario.schema.json';
/** YAML 1.2 with merge keys (`<<`), so that scenarios can share their parts. */
const YAML = CORE_SCHEMA.withTags(mergeTag);

interface Written {
  scenarios: Partial<Scenario>[];
}

/** What a scenario need not say. */
export const CALL_DEFAULTS: CallFacts = {
  direction: 'outbound',
  customer: '+15005550020',
  assistant: '+14155550100',
  variables: {},
  answered_at: '2026-03-02T09:00:00Z',
  disclosure: false,
  lead: false,
  paid_minutes: null,
  outcome: 'answered',
  first_error: null,
  refuses_voice: false,
  ms_per_character: 55,
  speech_delay: '0ms',
  words_after: null,
  interim_after: 'never',
  interim_wrong: false,
  marks_after: '0ms',
  marks_twice: false,
  until: '30min',
};

/** The required fields of an assistant. */
export const ASSISTANT_DEFAULTS = {
  assistant_name: 'Ada',
  voice_id: 1,
  language: 'English',
  llm_model: 'gpt-6-luna',
  calls_direction: 'make',
  engine_type: 'pipeline',
  timezone: 'UTC',
  initial_message: 'Hello, this is Ada.',
  system_prompt: 'You are Ada.',
};

/** The bodies as they are written, without the required fields that were added. */
export const readBodies = (folder: string): Record<string, unknown>[] =>
  yamlFiles(folder).flatMap((name) => {
    const { scenarios } = load(readFileSync(join(folder, name), 'utf8'), { schema: YAML }) as Written;
    return scenarios.map(({ assistant = {} }) => assistant);
  });

const yamlFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort();

/** All scenarios of a folder's YAML files. @throws Error naming file and path of everything that is wrong. */
export function readScenarios(folder: string): Scenario[] {
  const schema: unknown = JSON.parse(readFileSync(join(folder, SCHEMA), 'utf8'));
  const read = yamlFiles(folder).flatMap((name) =>
    parseScenarios(readFileSync(join(folder, name), 'utf8'), name, schema),
  );
  const known = new Set<string>();
  for (const { file, name } of read) {
    if (known.has(name)) throw new Error(`${file}: there are two scenarios "${name}"`);
    known.add(name);
  }
  return read;
}

/** @throws Error naming the file and the path of everything that is wrong. */
export function parseScenarios(text: string, file: string, schema: unknown): Scenario[] {
  let content: unknown;
  try {
    content = load(text, { schema: YAML });
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : 'not YAML'}`, { cause: error });
  }
  const ajv = new Ajv({ allErrors: true, strict: false, verbose: true });
  if (!ajv.validate(schema as object, content)) {
    const wrong = (ajv.errors ?? []).filter(({ schemaPath }) => !schemaPath.includes('/oneOf/'));
    const lines = wrong.map((error) => `${file}: ${told(error, content)}`);
    throw new Error([...new Set(lines)].join('\n'));
  }
  return (content as Written).scenarios.map((given) => ({
    ...(given as Scenario),
    file,
    assistant: { ...ASSISTANT_DEFAULTS, ...given.assistant },
    call: { ...CALL_DEFAULTS, ...given.call },
    tools: given.tools ?? [],
    tool_answers: given.tool_answers ?? {},
    script: given.script ?? [],
    model: given.model ?? [],
  }));
}

function told({ instancePath, keyword, message, params, schema }: ErrorObject, content: unknown): string {
  const path = instancePath.split('/').slice(1).join('.');
  const at = /^\/scenarios\/(\d+)/.exec(instancePath)?.[1];
  const name = at === undefined ? '' : ` (${nameOf(content, Number(at))})`;
  const { additionalProperty: extra, allowedValues: allowed } = params as Record<string, unknown>;
  if (keyword === 'oneOf') {
    const fields = (schema as { required: string[] }[]).flatMap(({ required }) => required);
    return `${path}${name} must have exactly one of: ${fields.join(', ')}`;
  }
  const detail = extra ?? (Array.isArray(allowed) ? allowed.join(', ') : '');
  return `${path}${name} ${message ?? 'is wrong'}${detail ? `: ${String(detail)}` : ''}`;
}

const nameOf = (content: unknown, index: number): string =>
  (content as { scenarios: { name?: string }[] }).scenarios[index]?.name ?? 'without a name';
