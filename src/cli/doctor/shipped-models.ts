import { readCatalogue } from '#src/database/seed/catalogue-file.js';
import { catalogueColumnsOf } from '#src/database/seed/catalogue-rows.js';
import type { LanguageModelEntry } from '#src/modules/catalog/entities/catalog.entities.js';

/** The request settings of a model of a new installation. */
export type ShippedModel = Pick<
  LanguageModelEntry,
  | 'name'
  | 'code'
  | 'endpoint'
  | 'takesTemperature'
  | 'outputLimitField'
  | 'reasoningEffort'
  | 'transcriptionModel'
>;

/** The models of a new installation, retiring ones last. */
export function readShippedModels(
  catalogueFile: string | null,
  mode: LanguageModelEntry['mode'],
): ShippedModel[] {
  const rows = readCatalogue(catalogueFile).models.map((entry) => catalogueColumnsOf('models', entry));
  const ends = (row: Record<string, unknown>): number => (row['retires_on'] === null ? 0 : 1);
  return rows
    .filter((row) => row['mode'] === mode)
    .sort((one, other) => ends(one) - ends(other))
    .map((row) => ({
      name: String(row['name']),
      code: row['code'] as string | null,
      endpoint: row['endpoint'] as string | null,
      takesTemperature: row['takes_temperature'] as boolean,
      outputLimitField: row['output_limit_field'] as ShippedModel['outputLimitField'],
      reasoningEffort: row['reasoning_effort'] as ShippedModel['reasoningEffort'],
      transcriptionModel: row['transcription_model'] as string | null,
    }));
}
