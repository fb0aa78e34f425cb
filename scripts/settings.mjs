/**
 * npm run docs:settings — writes the reference pages of settings: docs/use/assistant-settings.md and the fields of
 * the console's editor from the table of an assistant's settings, the fields of its requests and the scenarios, and
 * docs/run/settings.md from the environment variables declared in src/config, and test/http/request-limits.json, the
 * limits of every field and parameter, from the OpenAPI document: a changed limit shows in the diff of a change. With
 * --check it fails when a file differs.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';
import { format, resolveConfig } from 'prettier';
import { run } from './openapi-types.mjs';
import { prepare, ROOT } from './prepare.mjs';

const DOCUMENT = join(ROOT, 'docs', 'use', 'assistant-settings.md');
const ENVIRONMENT = join(ROOT, 'docs', 'run', 'settings.md');
const FIELDS = join(ROOT, 'console', 'src', 'pages', 'assistants', 'settings.json');
const REQUEST_LIMITS = join(ROOT, 'test', 'http', 'request-limits.json');
const SCENARIOS = join(ROOT, 'test', 'scenarios');
/** Further scenarios of the same setting are only counted. */
const NAMED_SCENARIOS = 3;

const INTRODUCTION = `# Settings of an assistant

After this page you can say what each setting of an assistant does in a call, and within which limits.

Written by \`npm run docs:settings\`; change the fields in \`src/modules/assistants/dto\` and \`setting-effects.ts\` instead.

Settings have the names of requests. What a call could not apply is listed in its \`settings_not_applied\`. A call of a multimodal assistant that is held, or goes on, in pipeline mode has \`engine_type\` in that list.

| setting | value | in pipeline mode | in multimodal mode | scenarios |
| --- | --- | --- | --- | --- |
`;

const ENVIRONMENT_INTRODUCTION = `# Settings of the service

After this page you can configure the service with environment variables.

The service validates them when it starts; the error for an invalid one contains an example. \`.env.example\` has all of them with accepted values. Without any, the service starts its own stores and the sandbox. \`npm run cli -- doctor\` checks the whole configuration.

Written by \`npm run docs:settings\`; change the \`*env*.ts\` files in \`src/config\` instead.
`;

/** Titles of the groups by the names of their classes. */
const GROUP_TITLES = {
  HttpEnv: 'HTTP',
  PublicEnv: 'Visitors and proxies',
  GeneralEnv: 'Process and stores',
  CarrierEnv: 'Carrier',
  ModelEnv: 'Language models',
  SpeechEnv: 'Speech',
  OutboundEnv: 'Requests to tools and webhooks',
  CallsEnv: 'Calls',
  WebhooksEnv: 'Webhooks',
  TracingEnv: 'Traces',
  RecordingsEnv: 'Recordings',
};

/** @param groups classes of `src/config`; `envFieldsOf` gives their fields by property */
export function environmentDocument(groups, envFieldsOf) {
  const sections = groups.map((group) => {
    const defaults = new group();
    const rows = [...envFieldsOf(group)].map(([property, { name, unset, description }]) =>
      row([`\`${name}\``, unset ?? `\`${defaults[property]}\``, description]),
    );
    const head = '| variable | default | meaning |\n| --- | --- | --- |';
    return `## ${GROUP_TITLES[group.name] ?? group.name}\n\n${head}\n${rows.join('\n')}\n`;
  });
  return [ENVIRONMENT_INTRODUCTION, ...sections].join('\n');
}

const row = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** `fields`: OpenAPI schemas by name. `scenarios`: names by setting. */
export function settingsDocument(effects, fields, scenarios) {
  const rows = Object.entries(effects).map(([name, { pipeline, multimodal = 'the same' }]) => {
    const cells = [
      `\`${name}\``,
      describeValue(fields[name]),
      pipeline,
      multimodal,
      list(scenarios.get(name)),
    ];
    return row(cells);
  });
  return `${INTRODUCTION}${rows.join('\n')}\n`;
}

/** Type, limits and default. */
export function describeValue(field) {
  if (!field) return 'read only';
  const isNullable = field.nullable ? 'null or ' : '';
  const unset = field.default === undefined ? (field.nullable ? 'null' : null) : shortJson(field.default);
  const presence = field.required ? '; required' : unset === null ? '' : `; default ${unset}`;
  return `${isNullable}${describeType(field)}${presence}`;
}

function describeType({ type, isArray, enum: values, minimum, maximum, maxLength, maxItems, items }) {
  if (values) return values.map((value) => `\`${value}\``).join(', ');
  if (minimum !== undefined) return `${type} ${minimum}–${maximum}`;
  if (isArray || type === 'array') {
    const what = isArray ? 'objects' : `${items.type}s`;
    return `list of ≤ ${maxItems} ${what}`;
  }
  if (type === 'string') return maxLength === undefined ? 'string' : `string ≤ ${maxLength}`;
  return typeof type === 'function' ? 'object' : type;
}

function shortJson(value) {
  const text = JSON.stringify(value);
  return text.length > 40 ? 'see the OpenAPI document' : `\`${text}\``;
}

function list(names = []) {
  const shown = names.slice(0, NAMED_SCENARIOS).join('; ');
  const others = names.length - NAMED_SCENARIOS;
  return names.length === 0 ? '—' : others > 0 ? `${shown}; and ${others} more` : shown;
}

/** Names of the scenarios by setting. */
function readScenarios() {
  const bySetting = new Map();
  const files = existsSync(SCENARIOS) ? readdirSync(SCENARIOS).filter((name) => name.endsWith('.yaml')) : [];
  for (const file of files.sort()) {
    const schema = CORE_SCHEMA.withTags(mergeTag);
    const { scenarios } = load(readFileSync(join(SCENARIOS, file), 'utf8'), { schema });
    for (const { name, pending, assistant = {} } of scenarios) {
      const title = `${file}: ${name}${pending ? ' (pending)' : ''}`;
      for (const setting of Object.keys(assistant)) {
        bySetting.set(setting, [...(bySetting.get(setting) ?? []), title]);
      }
    }
  }
  return bySetting;
}

/** The values at creation; update-only settings have their value at an update. */
async function readFields(names) {
  const { CreateAssistantDto, UpdateAssistantDto } =
    await import('../dist/src/modules/assistants/dto/assistant-input.dto.js');
  const read = (dto, name) => Reflect.getMetadata('swagger/apiModelProperties', dto.prototype, name);
  return Object.fromEntries(
    names.map((name) => [
      name,
      {
        ...(read(CreateAssistantDto, name) ?? read(UpdateAssistantDto, name)),
        isClearable: read(UpdateAssistantDto, name)?.nullable === true,
      },
    ]),
  );
}

/** By the names in responses, which requests accept too: the names in the console's editor. */
function editorFields(effects, fields, settings) {
  const nameInAnswers = new Map(settings.map(([name, { response }]) => [name, response ?? name]));
  const rows = Object.entries(effects).map(([setting, effect]) => {
    const { description, enum: values, minimum, maximum, maxLength, default: initial } = fields[setting];
    const { isClearable, required } = fields[setting];
    const limits = { values, minimum, maximum, maxLength, default: initial };
    return [
      nameInAnswers.get(setting) ?? setting,
      { setting, ...effect, description, ...limits, isClearable, isRequired: required },
    ];
  });
  return JSON.stringify(Object.fromEntries(rows));
}

const LIMIT_KEYWORDS = [
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'x-max-kilobytes',
];

/** The limits of parameters, by operation, and of the fields of bodies, by schema. */
export function requestLimits(document) {
  const limits = {};
  const add = (place, schema) => {
    if (schema.$ref) {
      const name = schema.$ref.split('/').at(-1);
      return add(name, document.components.schemas[name]);
    }
    const own = LIMIT_KEYWORDS.filter((keyword) => keyword in schema);
    for (const keyword of own) limits[place] = { ...limits[place], [keyword]: schema[keyword] };
    for (const part of [schema.allOf, schema.oneOf, schema.anyOf].flat()) if (part) add(place, part);
    if (schema.items) add(`${place}[]`, schema.items);
    for (const [name, property] of Object.entries(schema.properties ?? {})) add(`${place}.${name}`, property);
  };
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    const { operationId, parameters = [], requestBody } = operation;
    for (const { in: part, name, schema } of parameters)
      add(part === 'header' ? name : `${operationId} ${name}`, schema);
    for (const { schema } of Object.values(requestBody?.content ?? {})) add(`${operationId} body`, schema);
  }
  return limits;
}

async function update(file, text) {
  const written = await format(text, { ...(await resolveConfig(file)), filepath: file });
  if (!process.argv.includes('--check')) writeFileSync(file, written);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== written) {
    process.stderr.write(`${relative(ROOT, file)} is stale: npm run docs:settings\n`);
    process.exitCode = 1;
  }
}

if (import.meta.filename === process.argv[1]) {
  await prepare();
  await import('reflect-metadata');
  const { SETTING_EFFECTS } = await import('../dist/src/modules/assistants/setting-effects.js');
  const { SETTING_ENTRIES } = await import('../dist/src/modules/assistants/assistant-settings.js');
  const { ENV_GROUPS } = await import('../dist/src/config/env-groups.js');
  const { envFieldsOf } = await import('../dist/src/config/env-fields.js');
  await update(ENVIRONMENT, environmentDocument(ENV_GROUPS, envFieldsOf));
  const fields = await readFields(Object.keys(SETTING_EFFECTS));
  await update(DOCUMENT, settingsDocument(SETTING_EFFECTS, fields, readScenarios()));
  await update(FIELDS, editorFields(SETTING_EFFECTS, fields, SETTING_ENTRIES));
  const openApi = JSON.parse(run('dist/src/cli/openapi.js').toString());
  await update(REQUEST_LIMITS, JSON.stringify(requestLimits(openApi)));
}
