import { isObject } from '#src/common/validation/field-rules.js';
import { jsonIn, parsed } from './json-text.js';

/**
 * The JSON texts of the arguments that arrived in pieces: one, or several where calls were sent as one. Pieces are
 * text, or objects that are whole. What cannot be JSON of an object stays as it was sent, so that the tool is not
 * called.
 */
export function joinArguments(pieces: readonly unknown[]): string[] {
  const text = pieces.filter((piece) => typeof piece === 'string').join('');
  const whole = pieces.findLast((piece) => typeof piece === 'object' && piece !== null && isFilled(piece));
  const sent = objectsOf(text, pieces) ?? [text];
  if (whole !== undefined) sent.push(JSON.stringify(whole));
  const different = new Map(sent.map((one) => [canonical(parsed(one)) ?? one, one]));
  different.delete(EMPTY);
  return different.size === 0 ? [EMPTY] : [...different.values()];
}

const EMPTY = '{}';
/** What servers write where a function is called without arguments. */
const NOTHING = new Set(['', 'null', '""', '[]', 'none', 'undefined']);

const isFilled = (value: object): boolean => Object.keys(value).length > 0;

/** The same text for values that differ in the order of their keys only. */
const canonical = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );

/** The objects that a text holds, each as it was written; null: it holds something else. */
function objectsOf(text: string, pieces: readonly unknown[]): string[] | null {
  const trimmed = text.trim();
  if (NOTHING.has(trimmed.toLowerCase())) return [];
  const value = parsed(trimmed);
  if (isObject(value)) return [isFilled(value) ? trimmed : EMPTY];
  // JSON that was written as a text in JSON.
  if (typeof value === 'string') return objectsOf(value, []);
  const several = jsonIn(trimmed);
  if (several && several.between.trim() === '' && several.values.every(isObject))
    return several.values.map((one) => JSON.stringify(one));
  return growing(pieces);
}

/** Each piece repeats the ones before it. */
function growing(pieces: readonly unknown[]): string[] | null {
  const texts = pieces.filter((piece): piece is string => typeof piece === 'string' && piece !== '');
  const last = texts.at(-1) ?? '';
  const grows = texts.length > 1 && texts.every((text, at) => (texts[at + 1] ?? text).startsWith(text));
  return grows && isObject(parsed(last)) ? [last] : null;
}
