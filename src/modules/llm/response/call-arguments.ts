import { isObject } from '#src/common/validation/field-rules.js';
import { extractJson, tryParseJson, parseModelJson } from './json-text.js';

/**
 * Joins the streamed pieces of arguments to JSON texts: one, or several where calls were sent as one. Pieces are text,
 * or complete objects. Text that is not the JSON of an object stays unchanged, so that the tool is not called.
 */
export function joinArguments(pieces: readonly unknown[]): string[] {
  const text = pieces.filter((piece) => typeof piece === 'string').join('');
  const whole = pieces.findLast((piece) => typeof piece === 'object' && piece !== null && isFilled(piece));
  const sent = objectsOf(text, pieces) ?? [text];
  if (whole !== undefined) sent.push(JSON.stringify(whole));
  const different = new Map(sent.map((one) => [canonical(tryParseJson(one)) ?? one, one]));
  different.delete(EMPTY);
  return different.size === 0 ? [EMPTY] : [...different.values()];
}

const EMPTY = '{}';
/** Forms of missing arguments. */
const EMPTY_FORMS = new Set(['', 'null', '""', '[]', 'none', 'undefined']);

const isFilled = (value: object): boolean => Object.keys(value).length > 0;

/** Equal for values that differ only in the order of their keys. */
const canonical = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );

/** The JSON objects in a text; null: it contains anything else. */
function objectsOf(text: string, pieces: readonly unknown[]): string[] | null {
  const trimmed = text.trim();
  if (EMPTY_FORMS.has(trimmed.toLowerCase())) return [];
  const value = parseModelJson(trimmed);
  if (isObject(value))
    return [isFilled(value) ? (isObject(tryParseJson(trimmed)) ? trimmed : JSON.stringify(value)) : EMPTY];
  // JSON encoded as a JSON string.
  if (typeof value === 'string') return objectsOf(value, []);
  const several = extractJson(trimmed);
  if (several && several.between.trim() === '' && several.values.every(isObject))
    return several.values.map((one) => JSON.stringify(one));
  return lastCumulativePiece(pieces);
}

/** Each piece repeats the ones before it. */
function lastCumulativePiece(pieces: readonly unknown[]): string[] | null {
  const texts = pieces.filter((piece): piece is string => typeof piece === 'string' && piece !== '');
  const last = texts.at(-1) ?? '';
  const grows = texts.length > 1 && texts.every((text, at) => (texts[at + 1] ?? text).startsWith(text));
  return grows && isObject(tryParseJson(last)) ? [last] : null;
}
