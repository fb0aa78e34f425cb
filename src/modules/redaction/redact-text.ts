import { mayBeCardNumber } from './card-numbers.js';
import {
  findNumbers,
  findOpenNumber,
  type FoundNumber,
  type NumberKind,
  type SearchOptions,
} from './find-numbers.js';
import { normalizeWord, numberWordsIn } from './number-words.js';

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

/** Digits and letters that the beginning of an unnamed number has; fewer stay. */
const MIN_CUT_LENGTH = 4;

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

/** The first characters of a text that was never finished: of a number, or an address, at its end nothing is left. */
export function redactInterrupted(text: string, options: SearchOptions, length = text.length): string {
  const known = text.replace(/\s*\S*@\S*$/, '');
  const found = findNumbers(known, options).filter(({ isGuess }) => isGuess !== true);
  const open = findOpenNumber(withoutBegunWord(known, options), options, found);
  const isCut = open !== null && (open.isNamed || open.length >= MIN_CUT_LENGTH);
  const end = isCut ? open.start : known.length;
  return end < length ? redactStart(text, end, options).trimEnd() : redactStart(text, length, options);
}

/** Without the first letters of a number word at the end. */
function withoutBegunWord(text: string, { language }: SearchOptions): string {
  const [begun] = /[\p{L}\p{M}]+$/u.exec(text) ?? [];
  if (begun === undefined) return text;
  const word = normalizeWord(begun);
  const words = [...numberWordsIn(language.split('-')[0] ?? '').valueOf.keys()];
  const isBegun = words.some((one) => one !== word && one.startsWith(word));
  return isBegun ? text.slice(0, -begun.length) : text;
}

/** A text that goes on later: its last word, and a number at its end, are left out. */
export function redactUnfinished(text: string, options: SearchOptions): string {
  const known = text.replace(/\s*\S*[\p{L}\p{M}\d@_-]$/u, '');
  const found = findNumbers(text, options);
  const open = findOpenNumber(known, options, []);
  const end = Math.min(known.length, open?.start ?? known.length);
  const whole = found.filter((number) => number.start < end);
  const cut = whole.find((number) => number.end > end)?.start ?? end;
  return replaceNumbers(
    text.slice(0, cut),
    whole.filter((number) => number.end <= cut),
  ).trimEnd();
}

/**
 * The same in all texts, numbers and names of fields of a JSON value; a number that is hidden becomes a text. A field's
 * name says what its value is, as the words before a number do; one that says nothing does so with those around it.
 */
export function redactValue<Value>(value: Value, options: SearchOptions): Value {
  return redactJson(value, options, 0, []) as Value;
}

/** @param names of the fields around the value, as words */
function redactJson(
  value: unknown,
  options: SearchOptions,
  depth: number,
  names: readonly string[],
): unknown {
  if (typeof value === 'string') return redactText(value, options);
  if (typeof value === 'number') return redactNumber(value, options);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((one) => redactJson(one, options, depth + 1, names));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      const all = [...names, wordsOfName(name)];
      const before = (NAMES_NOTHING.test(all.at(-1) ?? '') ? all : all.slice(-1)).join(' ');
      return [redactText(name, options), redactJson(one, { ...options, before }, depth + 1, all)];
    }),
  );
}

function redactNumber(value: number, options: SearchOptions): unknown {
  const written = String(value);
  // The last digits, and with them the check digit, are lost.
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER && mayBeCardNumber(written.replace('-', '')))
    return REDACTION_MARKS.card;
  const redacted = redactText(written, options);
  return redacted === written ? value : redacted;
}

/** Names of fields that do not say of what. */
const NAMES_NOTHING = /^(?:number|id|code|value|digits|nummer|n[uú]mero|num[eé]ro|numer)$/i;

/** "accountNumbers", "account_no": account number. */
const wordsOfName = (name: string): string =>
  name
    .replace(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
    .replace(/[\s_.-]+/g, ' ')
    .replace(/(?<=[^s\s]{3})s(?= |$)/gi, '')
    .replace(/(?<![^ ])(?:no|nr|num)(?= |$)/gi, 'number');

/** A text that may be JSON, as results of tools are. */
export function redactJsonText(text: string, options: SearchOptions): string {
  if (!/^\s*[[{]/.test(text)) return redactText(text, options);
  try {
    return JSON.stringify(redactValue(JSON.parse(text) as unknown, options));
  } catch {
    return redactText(text, options);
  }
}
