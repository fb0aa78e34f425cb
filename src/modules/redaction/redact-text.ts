import {
  findNumbers,
  findOpenNumber,
  type FoundNumber,
  type NumberKind,
  type SearchOptions,
} from './find-numbers.js';

/** What stands in place of a number. */
export const REDACTION_MARKS: Readonly<Record<NumberKind, string>> = {
  card: '[card number]',
  iban: '[iban]',
  id: '[id number]',
  phone: '[phone number]',
  email: '[email]',
  keys: '[keys]',
  part: '[number]',
};

/** Values deeper than this are left out, as JSON of requests is at most 16 levels deep. */
const MAX_DEPTH = 32;

/** The text with marks in place of card numbers, account numbers, ids, telephone numbers, addresses and pressed keys. */
export const redactText = (text: string, options: SearchOptions): string =>
  replaceNumbers(text, findNumbers(text, options));

/** @param numbers in their order */
export function replaceNumbers(text: string, numbers: readonly FoundNumber[]): string {
  let redacted = '';
  let end = 0;
  for (const number of numbers) {
    redacted += text.slice(end, number.start) + REDACTION_MARKS[number.kind];
    end = number.end;
  }
  return redacted + text.slice(end);
}

/** The first characters of a text; of a number that they divide nothing is left. */
export function redactStart(text: string, length: number, options: SearchOptions): string {
  const numbers = findNumbers(text, options).filter(({ start }) => start < length);
  return replaceNumbers(
    text.slice(0, length),
    numbers.map((number) => ({ ...number, end: Math.min(number.end, length) })),
  );
}

/** A text that goes on later: its last word, and a number at its end, are left out. */
export function redactUnfinished(text: string, options: SearchOptions): string {
  const known = text.replace(/\s*\S*[\p{L}\p{M}\d@_-]$/u, '');
  const found = findNumbers(text, options);
  const open = findOpenNumber(known, options, []);
  const end = Math.min(known.length, open?.start ?? known.length);
  const whole = found.filter((number) => number.start < end && number.isGuess !== true);
  const cut = whole.find((number) => number.end > end)?.start ?? end;
  return replaceNumbers(
    text.slice(0, cut),
    whole.filter((number) => number.end <= cut),
  ).trimEnd();
}

/**
 * The same in all texts, numbers and names of fields of a JSON value; a number that is hidden becomes a text. A field's
 * name says what its value is, as the words before a number do.
 */
export function redactValue<Value>(value: Value, options: SearchOptions): Value {
  return redactJson(value, options, 0) as Value;
}

function redactJson(value: unknown, options: SearchOptions, depth: number): unknown {
  if (typeof value === 'string') return redactText(value, options);
  if (typeof value === 'number') {
    const written = String(value);
    const redacted = redactText(written, options);
    return redacted === written ? value : redacted;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((one) => redactJson(one, options, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      redactText(name, options),
      redactJson(one, { ...options, before: name.replace(/[_-]/g, ' ') }, depth + 1),
    ]),
  );
}

/** A text that may be JSON, as results of tools are. */
export function redactJsonText(text: string, options: SearchOptions): string {
  if (!/^\s*[[{]/.test(text)) return redactText(text, options);
  try {
    return JSON.stringify(redactValue(JSON.parse(text) as unknown, options));
  } catch {
    return redactText(text, options);
  }
}
