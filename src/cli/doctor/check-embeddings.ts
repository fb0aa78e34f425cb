import type { EmbeddingsSettings } from '#src/config/embeddings.env.js';
import type { RuntimeSettings } from '#src/config/runtime-settings.js';
import { EmbeddingsError, EmbeddingsService } from '#src/modules/knowledge/embeddings/embeddings.service.js';
import { fail, ok, runCheck, warn, type CheckResult, type Finding } from './finding.js';

const TEXT = 'When are you open on Sundays?';
/** Later than that a question is searched by full text alone. */
const SLOW_MS = 150;

/** Has a question embedded, as a search does. */
export async function checkEmbeddings(embeddings: EmbeddingsSettings | null): Promise<Finding[]> {
  if (!embeddings) return [];
  const service = new EmbeddingsService({ embeddings } as RuntimeSettings);
  try {
    return [await runCheck('embeddings', () => embed(service))];
  } finally {
    await service.onApplicationShutdown();
  }
}

async function embed(service: EmbeddingsService): Promise<CheckResult> {
  const { model } = service;
  if (!model) return ok('none');
  try {
    // The first request opens the connection.
    await service.embedPassages(model, [TEXT]);
    const began = performance.now();
    const [vector] = await service.embedPassages(model, [TEXT]);
    const ms = Math.round(performance.now() - began);
    const what = `${model.model}: ${vector?.length ?? 0} dimensions after ${ms} ms`;
    return ms > SLOW_MS
      ? warn(what, `choose a server that answers within ${SLOW_MS} ms: others are not waited for`)
      : ok(what);
  } catch (error) {
    if (!(error instanceof EmbeddingsError)) throw error;
    return fail(error.message, 'correct EMBEDDINGS_ENDPOINT, EMBEDDINGS_API_KEY or EMBEDDINGS_MODEL');
  }
}
