import type { CatalogueEntry, CatalogueSection } from './catalogue-file.js';

/** How the entries of a kind become rows. */
export interface CatalogueTable {
  name: 'language_models' | 'voices' | 'speech_providers';
  /** Default values of columns that an entry does not set. */
  defaults: Record<string, unknown>;
  /** Columns with the id of the row that a field names. */
  references: { field: string; column: string; to: CatalogueSection | 'languages' }[];
}

const NOT_RETIRED = { retires_on: null, replaced_by_id: null };

export const CATALOGUE_TABLES: Record<CatalogueSection, CatalogueTable> = {
  models: {
    name: 'language_models',
    defaults: {
      mode: 'pipeline',
      code: null,
      endpoint: null,
      takes_temperature: true,
      output_limit_field: 'max_tokens',
      reasoning_effort: null,
      transcription_model: null,
      fallback_model_id: null,
      facts: {},
      ...NOT_RETIRED,
    },
    references: [
      { field: 'fallback', column: 'fallback_model_id', to: 'models' },
      { field: 'replaced_by', column: 'replaced_by_id', to: 'models' },
    ],
  },
  voices: {
    name: 'voices',
    defaults: {
      mode: 'pipeline',
      language_id: null,
      gender: 'neutral',
      accent: null,
      preview_url: null,
      ...NOT_RETIRED,
    },
    references: [
      { field: 'language', column: 'language_id', to: 'languages' },
      { field: 'replaced_by', column: 'replaced_by_id', to: 'voices' },
    ],
  },
  providers: {
    name: 'speech_providers',
    defaults: {
      endpoint: null,
      default_voice: null,
      fallback_provider_id: null,
      facts: {},
      ...NOT_RETIRED,
    },
    references: [
      { field: 'fallback', column: 'fallback_provider_id', to: 'providers' },
      { field: 'replaced_by', column: 'replaced_by_id', to: 'providers' },
    ],
  },
};

/** The columns that an entry sets, without those that refer to other rows. */
export function catalogueColumnsOf(
  kind: CatalogueSection,
  { id: _, ...entry }: CatalogueEntry,
): Record<string, unknown> {
  const { defaults, references } = CATALOGUE_TABLES[kind];
  const columns: Record<string, unknown> = { ...defaults, name: entry['provider_voice'], ...entry };
  for (const { field } of references) delete columns[field];
  if (kind === 'voices') delete columns['facts'];
  return columns;
}
