import { isSandboxModel } from '#src/config/production-rules.js';
import type { ModelSettings } from '#src/config/env.dto.js';
import type { Settings } from '#src/config/settings.js';
import { readShippedModels } from './shipped-models.js';
import {
  OpenAiRealtimeModelService,
  type RealtimeModelConfig,
  type RealtimeModelCatalog,
} from '#src/modules/speech/openai-realtime/openai-realtime-model.service.js';
import { RealtimeModelError } from '#src/modules/speech/realtime-model.js';
import { withDatabaseClient } from '../operator/database.js';
import { ok, runCheck, warn, type CheckResult, type Finding } from './finding.js';

type Row = RealtimeModelConfig & { name: string };

/**
 * Opens a session with the first realtime model of each endpoint, as a multimodal call does, and closes it: no audio
 * is sent, so nothing is charged. Without such a model calls are held in pipeline mode, which is no failure.
 */
export async function checkRealtime(
  settings: Pick<Settings, 'model' | 'carrier' | 'databaseUrl' | 'catalogueFile'>,
): Promise<Finding[]> {
  const { model: configured, carrier } = settings;
  if (configured === null || isSandboxModel(configured, carrier)) return [];
  const rows = await realtimeModels(settings);
  const firsts = rows.filter((row, at) => rows.findIndex(({ endpoint }) => endpoint === row.endpoint) === at);
  return Promise.all(
    firsts.map((row) =>
      runCheck(`realtime endpoint ${row.endpoint ?? 'LLM_BASE_URL'}`, () => openSession(configured, row)),
    ),
  );
}

async function openSession(settings: ModelSettings, row: Row): Promise<CheckResult> {
  const models: RealtimeModelCatalog = { findRealtimeModel: async () => row };
  const started = performance.now();
  try {
    const session = await new OpenAiRealtimeModelService(settings, models).connect(
      {
        model: row.name,
        format: 'pcmu-8000',
        voice: null,
        speed: 1,
        language: 'en-US',
        reducesNoise: true,
        turnDetection: { by: 'silence', silenceMs: 600, threshold: 0.5 },
      },
      () => undefined,
    );
    session.close();
  } catch (error) {
    if (!(error instanceof RealtimeModelError)) throw error;
    return warn(
      `${row.name}: ${error.message}`,
      'correct the endpoint, its key or the model (npm run cli -- models set …), or use engine_type pipeline: calls of multimodal assistants go on so',
    );
  }
  return ok(`${row.name}: session open after ${Math.round(performance.now() - started)} ms`);
}

/** The models in the database, retiring ones last; those of a new installation if it cannot be read. */
async function realtimeModels({
  databaseUrl,
  catalogueFile,
}: Pick<Settings, 'databaseUrl' | 'catalogueFile'>): Promise<Row[]> {
  const shipped = (): Row[] =>
    readShippedModels(catalogueFile, 'multimodal').map((model) => ({
      ...model,
      code: model.code ?? model.name,
    }));
  if (databaseUrl === null) return shipped();
  const read = withDatabaseClient(databaseUrl, async (client) => {
    const { rows } = await client.query<Row>(
      `SELECT name, COALESCE(code, name) AS code, endpoint, reasoning_effort AS "reasoningEffort",
              transcription_model AS "transcriptionModel"
         FROM language_models WHERE mode = 'multimodal' ORDER BY retires_on IS NOT NULL, id`,
    );
    return rows;
  });
  return read.catch(shipped);
}
