import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';

/** One entry of a catalogue file. `fallback` and `replaced_by` are names of entries, `language` is that of a language. */
export type CatalogueEntry = Record<string, unknown> & { id?: number };

/** Models, voices and speech providers. */
export interface CatalogueFile {
  models: CatalogueEntry[];
  voices: CatalogueEntry[];
  providers: CatalogueEntry[];
}

export type CatalogueSection = keyof CatalogueFile;

/** By what two entries, or an entry and a row, are the same. */
const CATALOGUE_KEYS: Record<CatalogueSection, readonly string[]> = {
  models: ['name'],
  voices: ['provider', 'provider_voice'],
  providers: ['kind', 'name'],
};

export const catalogueKeyOf = (kind: CatalogueSection, entry: Record<string, unknown>): string =>
  CATALOGUE_KEYS[kind].map((field) => String(entry[field]).toLowerCase()).join(' ');

const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

const text = { type: 'string', minLength: 1 };
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
const common = {
  id: { type: 'integer', minimum: 1 },
  name: text,
  retires_on: orNull({ type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
  replaced_by: orNull(text),
  facts: { type: 'object' },
};
const entries = (required: readonly string[], properties: object) => ({
  type: 'array',
  items: {
    type: 'object',
    required,
    additionalProperties: false,
    properties: { ...common, ...properties },
  },
});

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    models: entries(CATALOGUE_KEYS.models, {
      mode: { enum: ['pipeline', 'multimodal'] },
      code: orNull(text),
      endpoint: orNull(text),
      takes_temperature: { type: 'boolean' },
      output_limit_field: { enum: ['max_tokens', 'max_completion_tokens'] },
      reasoning_effort: { enum: [null, ...REASONING_EFFORTS] },
      transcription_model: orNull(text),
      fallback: orNull(text),
    }),
    voices: entries(CATALOGUE_KEYS.voices, {
      mode: { enum: ['pipeline', 'multimodal'] },
      language: orNull(text),
      gender: text,
      accent: orNull(text),
      preview_url: orNull(text),
      provider: text,
      provider_voice: text,
    }),
    providers: entries(CATALOGUE_KEYS.providers, {
      kind: { enum: ['synthesizer', 'transcriber'] },
      adapter: { enum: ['openai', 'deepgram', 'deepgram-flux', 'elevenlabs', 'cartesia'] },
      code: text,
      endpoint: orNull(text),
      default_voice: orNull(text),
      fallback: orNull(text),
    }),
  },
};

const SHIPPED = new URL('catalogue.yaml', import.meta.url);

/** The catalogue of this release, merged with the operator's file. @throws Error with the problem */
export function readCatalogue(operatorFile: string | null): CatalogueFile {
  const shipped = readCatalogueFile(SHIPPED);
  return operatorFile === null ? shipped : laidOver(shipped, readCatalogueFile(operatorFile));
}

function readCatalogueFile(file: string | URL): CatalogueFile {
  const name = typeof file === 'string' ? `CATALOGUE_FILE ${file}` : 'catalogue.yaml';
  let content: unknown;
  try {
    // Dates stay text.
    content = load(readFileSync(file, 'utf8'), { schema: CORE_SCHEMA.withTags(mergeTag) });
  } catch (error) {
    throw new Error(`${name} cannot be read: ${error instanceof Error ? error.message : 'not YAML'}`, {
      cause: error,
    });
  }
  const ajv = new Ajv({ allowUnionTypes: true });
  if (!ajv.validate(SCHEMA, content ?? {})) {
    throw new Error(`${name} is not usable: ${ajv.errorsText(ajv.errors, { dataVar: '' })}`);
  }
  return { models: [], voices: [], providers: [], ...(content as Partial<CatalogueFile>) };
}

function laidOver(below: CatalogueFile, above: CatalogueFile): CatalogueFile {
  const merge = (kind: CatalogueSection): CatalogueEntry[] => {
    const merged = new Map(below[kind].map((entry) => [catalogueKeyOf(kind, entry), entry]));
    for (const entry of above[kind]) {
      const key = catalogueKeyOf(kind, entry);
      merged.set(key, { ...merged.get(key), ...entry });
    }
    return [...merged.values()];
  };
  return { models: merge('models'), voices: merge('voices'), providers: merge('providers') };
}
