import { isObject } from '#src/common/validation/field-rules.js';
import type { ModelEndpoint } from './language-model.js';

/** The models of an endpoint by name, with the day of their shutdown where the endpoint lists it. */
export type ListedModels = ReadonlyMap<string, string | null>;

const TIMEOUT_MS = 10_000;
const DATE = /^\d{4}-\d{2}-\d{2}/;

/** Requests `GET /models`, which is free of charge. Null without such a list or without a response. */
export async function fetchModelList({ baseUrl, apiKey }: ModelEndpoint): Promise<ListedModels | null> {
  try {
    const response = await fetch(`${baseUrl}/models`, {
      headers: { Authorization: `Bearer ${apiKey}`, Accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body: unknown = await response.json();
    if (!response.ok || !isObject(body) || !Array.isArray(body['data'])) return null;
    const models = body['data'].filter((model) => isObject(model) && typeof model['id'] === 'string');
    return models.length === 0 ? null : new Map(models.map((model) => [model.id, shutdownDateOf(model)]));
  } catch {
    return null;
  }
}

/** OpenAI's field. */
function shutdownDateOf({ shutdown_date: date }: { shutdown_date?: unknown }): string | null {
  return typeof date === 'string' && DATE.test(date) ? date.slice(0, 10) : null;
}
