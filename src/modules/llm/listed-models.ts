import { isObject } from '#src/common/validation/field-rules.js';
import type { ModelEndpoint } from './language-model.js';

/** The models that an endpoint offers, by name, each with the day on which it ends, where the endpoint says so. */
export type ListedModels = ReadonlyMap<string, string | null>;

const LIMIT_MS = 10_000;
const DATE = /^\d{4}-\d{2}-\d{2}/;

/** Asks `GET /models`, which costs nothing. Null where there is no such list, or no answer. */
export async function listedModels({ baseUrl, apiKey }: ModelEndpoint): Promise<ListedModels | null> {
  try {
    const response = await fetch(`${baseUrl}/models`, {
      headers: { Authorization: `Bearer ${apiKey}`, Accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const body: unknown = await response.json();
    if (!response.ok || !isObject(body) || !Array.isArray(body['data'])) return null;
    const models = body['data'].filter((model) => isObject(model) && typeof model['id'] === 'string');
    return models.length === 0 ? null : new Map(models.map((model) => [model.id, endOf(model)]));
  } catch {
    return null;
  }
}

/** OpenAI's field. */
function endOf({ shutdown_date: date }: { shutdown_date?: unknown }): string | null {
  return typeof date === 'string' && DATE.test(date) ? date.slice(0, 10) : null;
}
