import { isObject } from '#src/common/validation/field-rules.js';
import type { ModelUsage } from '../language-model.js';
import type { JsonObject } from './json-text.js';

/** Maximum of the database column. */
const MAX_TOKENS = 2 ** 31 - 1;

/** The tokens of a response; missing and invalid counts are 0. @returns null: no usage */
export function readUsage(usage: unknown): ModelUsage | null {
  if (!isObject(usage)) return null;
  const details = usage['prompt_tokens_details'] ?? usage['input_tokens_details'];
  const prompt = toCount(usage['prompt_tokens'] ?? usage['input_tokens']);
  const completion = toCount(usage['completion_tokens'] ?? usage['output_tokens']);
  if (prompt === null && completion === null) return null;
  const cached = isObject(details) ? details['cached_tokens'] : usage['prompt_cache_hit_tokens'];
  return { prompt: prompt ?? 0, cached: toCount(cached) ?? 0, completion: completion ?? 0 };
}

function toCount(value: unknown): number | null {
  const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof count !== 'number' || !Number.isFinite(count) || count < 0) return null;
  return Math.min(Math.round(count), MAX_TOKENS);
}

/** Longer reasoning is not returned to the provider. */
const MAX_REASONING_CHARACTERS = 256 * 1024;

/**
 * Reasoning and signatures of a message, merged for their return to the provider: texts are joined, and parts of a list
 * with the same index and type.
 */
export class ResponseReasoning {
  private fields: JsonObject = {};
  private size = 0;

  add(fields: JsonObject): void {
    for (const [name, value] of Object.entries(fields)) {
      this.size += JSON.stringify(value).length;
      this.fields[name] = mergeFields(this.fields[name], value);
    }
    if (this.size > MAX_REASONING_CHARACTERS) this.fields = {};
  }

  replace(fields: JsonObject): void {
    if (this.size <= MAX_REASONING_CHARACTERS) this.fields = { ...this.fields, ...fields };
  }

  get isEmpty(): boolean {
    return Object.keys(this.fields).length === 0;
  }

  get returnedFields(): JsonObject {
    return this.size > MAX_REASONING_CHARACTERS ? {} : this.fields;
  }
}

function mergeFields(before: unknown, value: unknown): unknown {
  if (typeof before === 'string' && typeof value === 'string') return before + value;
  if (!Array.isArray(before) || !Array.isArray(value)) {
    return isObject(before) && isObject(value) ? { ...before, ...value } : value;
  }
  const list: unknown[] = [...before];
  for (const part of value as unknown[]) {
    const last = list.at(-1);
    if (isObject(last) && isObject(part) && isSamePart(last, part))
      list[list.length - 1] = mergeParts(last, part);
    else list.push(part);
  }
  return list;
}

const isSamePart = (a: JsonObject, b: JsonObject): boolean =>
  a['index'] !== undefined && a['index'] === b['index'] && a['type'] === b['type'];

const CONCATENATED_FIELDS = ['text', 'summary', 'thinking', 'data'];

function mergeParts(before: JsonObject, part: JsonObject): JsonObject {
  const merged: JsonObject = { ...before };
  for (const [name, value] of Object.entries(part)) {
    const former = merged[name];
    const grows =
      CONCATENATED_FIELDS.includes(name) && typeof former === 'string' && typeof value === 'string';
    if (value !== null) merged[name] = grows ? former + value : value;
  }
  return merged;
}
