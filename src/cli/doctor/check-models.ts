import { isSandboxModel } from '#src/config/production-rules.js';
import type { ModelSettings } from '#src/config/env.dto.js';
import type { Settings } from '#src/config/settings.js';
import { readShippedModels } from './shipped-models.js';
import {
  type ChatModel,
  type ChatModelCatalog,
  type LanguageModel,
  LanguageModelError,
  type ModelDelta,
  type StreamRequest,
} from '#src/modules/llm/language-model.js';
import { OpenAiLanguageModelService } from '#src/modules/llm/openai-language-model.service.js';
import { withDatabaseClient } from '../operator/database.js';
import { fail, ok, runCheck, warn, type CheckResult, type Finding } from './finding.js';

/** Later than that the customer gets a waiting phrase, or the fallback model answers. */
const SLOW_MS = 1_500;

const TOOL = {
  name: 'look_up_time',
  description: 'Tells the time.',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
};
const SCHEMA = {
  type: 'object',
  properties: { ready: { type: 'boolean' } },
  required: ['ready'],
  additionalProperties: false,
};

type Row = Omit<ChatModel, 'code'> & { name: string; code: string | null };

/**
 * Sends requests to the first model of each endpoint as conversations do: a streamed response, a tool call, and a
 * response in the form of a schema. The sandbox gets no requests.
 */
export async function checkModels(
  settings: Pick<Settings, 'model' | 'carrier' | 'databaseUrl' | 'catalogueFile'>,
): Promise<Finding[]> {
  const { model: configured, carrier } = settings;
  if (configured === null || isSandboxModel(configured, carrier)) return [];
  const rows = await catalogueModels(settings);
  const endpoints = [null, ...Object.keys(configured.endpoints)];
  return Promise.all(
    endpoints.map((endpoint) =>
      runCheck(`model endpoint ${endpoint ?? 'LLM_BASE_URL'}`, () =>
        checkEndpoint(configured, rows, endpoint),
      ),
    ),
  );
}

async function checkEndpoint(
  settings: ModelSettings,
  rows: readonly Row[],
  endpoint: string | null,
): Promise<CheckResult> {
  const row = rows.find((candidate) => candidate.endpoint === endpoint);
  if (!row) return warn('no model of the catalogue uses it', 'npm run cli -- models set NAME --endpoint …');
  const models: ChatModelCatalog = { findChatModel: async () => ({ ...row, code: row.code ?? row.name }) };
  const model = new OpenAiLanguageModelService(settings, models);
  try {
    await model.warm(row.name);
    return await probe(model, row.name);
  } catch (error) {
    if (!(error instanceof LanguageModelError)) throw error;
    return fail(
      `${row.name}: ${error.message}`,
      'correct the endpoint, its key or the model: npm run cli -- models set …',
    );
  } finally {
    await model.onApplicationShutdown();
  }
}

async function probe(model: LanguageModel, name: string): Promise<CheckResult> {
  const started = performance.now();
  let firstMs: number | null = null;
  for await (const delta of ask(model, name, 'Say the word ready.', [])) {
    if (delta.kind === 'text') firstMs ??= performance.now() - started;
  }
  if (firstMs === null) return fail(`${name} says nothing`, 'choose another model');
  let calls = 0;
  for await (const { kind } of ask(model, name, `Call the function ${TOOL.name}.`, [TOOL])) {
    if (kind === 'tool_call') calls += 1;
  }
  const lacking = [
    ...(calls === 0 ? ['calls no tool'] : []),
    ...((await answersInSchema(model, name)) ? [] : ['does not answer in the form of a schema']),
    ...(firstMs > SLOW_MS ? ['is slow'] : []),
  ];
  const what = `${name}: first token after ${Math.round(firstMs)} ms`;
  return lacking.length === 0
    ? ok(what)
    : warn(`${what}; ${lacking.join(', ')}`, 'choose another model for assistants that need it');
}

function ask(
  model: LanguageModel,
  name: string,
  text: string,
  tools: StreamRequest['tools'],
): AsyncIterable<ModelDelta> {
  const request = { model: name, temperature: 0, tools, mayCallTools: true, maxOutputTokens: 200 };
  return model.stream({ ...request, messages: [{ role: 'customer', text }] }, new AbortController().signal);
}

async function answersInSchema(model: LanguageModel, name: string): Promise<boolean> {
  const form = { kind: 'schema', name: 'state', schema: SCHEMA } as const;
  const messages = [{ role: 'customer', text: 'You are ready.' }] as const;
  try {
    const text = await model.complete(
      { model: name, messages, responseFormat: form },
      new AbortController().signal,
    );
    return typeof (JSON.parse(text) as { ready?: unknown }).ready === 'boolean';
  } catch {
    return false;
  }
}

/** The models in the database, retiring ones last; those of a new installation if it cannot be read. */
async function catalogueModels({
  databaseUrl,
  catalogueFile,
}: Pick<Settings, 'databaseUrl' | 'catalogueFile'>): Promise<Row[]> {
  const shipped = (): Row[] => readShippedModels(catalogueFile, 'pipeline');
  if (databaseUrl === null) return shipped();
  const read = withDatabaseClient(databaseUrl, async (client) => {
    const { rows } = await client.query<Row>(
      `SELECT name, code, endpoint, takes_temperature AS "takesTemperature",
              output_limit_field AS "outputLimitField", reasoning_effort AS "reasoningEffort"
         FROM language_models WHERE mode = 'pipeline' ORDER BY retires_on IS NOT NULL, id`,
    );
    return rows;
  });
  return read.catch(shipped);
}
