import { readCatalogue } from '#src/database/seed/catalogue-file.js';
import { columnsOf } from '#src/database/seed/catalogue-rows.js';
import type { LanguageModel } from '#src/modules/catalog/entities/catalog.entities.js';

/** How a model of a new installation is asked. */
export type ShippedModel = Pick<
  LanguageModel,
  | 'name'
  | 'code'
  | 'endpoint'
  | 'takesTemperature'
  | 'outputLimitField'
  | 'reasoningEffort'
  | 'transcriptionModel'
>;

/** Those of a new installation, those that stay first. */
export function shippedModels(catalogueFile: string | null, mode: LanguageModel['mode']): ShippedModel[] {
  const rows = readCatalogue(catalogueFile).models.map((entry) => columnsOf('models', entry));
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
