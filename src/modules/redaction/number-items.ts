import { normalizeWord, numberWordsIn } from './number-words.js';
import { HESITATIONS, LETTER_NAMES, PLUS_WORDS, REPETITIONS } from './spoken-words.js';

/** Digits or letters that may be a part of a number, with their place in the text. */
export interface NumberItem {
  value: string;
  start: number;
  end: number;
  isDigits: boolean;
  /** A pause, a comma or a word of hesitation is before it. */
  afterPause: boolean;
  /** A plus is before it. */
  hasPlus: boolean;
}

export interface Token {
  text: string;
  word: string;
  start: number;
  end: number;
}

const TOKEN = /\p{L}[\p{L}\p{M}]*|\d+|[^\s\p{L}\d]/gu;
/** Signs within numbers. */
const JOINING = /^[-–—./,()·\u2026;_|*\p{Cf}]$/u;
const PAUSING = /^[,.;\u2026_|*]$/;
/** The most of one run, so that no text takes long. */
const MAX_ITEMS = 120;
/** Dates, times and addresses of the internet: no parts of a number. */
const DATE = String.raw`(?:19|20)\d{2}([./-])\d{1,2}\1\d{1,2}|\d{1,2}([./-])\d{1,2}\2(?:19|20)?\d{2}`;
const TIME = String.raw`\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?`;
const INTERNET_ADDRESS = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}`;
const DATE_OR_TIME = new RegExp(
  String.raw`(?<![\d.-]|\d/)(?:(?:${DATE})(?!/\d)(?:T${TIME})?|${TIME}|${INTERNET_ADDRESS})(?!\d|[.-]\d)`,
  'g',
);
/** Digits in groups of three, with decimals: an amount. */
const AMOUNT = /(?<![\d.,])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d])|(?<![\d.,])\d{1,3}(?:\.\d{3})+,\d+(?!\d)/g;

export function readTokens(text: string): Token[] {
  return [...text.matchAll(TOKEN)].map(({ 0: found, index }) => ({
    text: found,
    word: normalizeWord(found),
    start: index,
    end: index + found.length,
  }));
}

/**
 * Runs of digits, number words and letters in a text.
 * @param maxNumber the highest number that several words make together: "forty two" is 42 or 40 2
 */
export function readRuns(text: string, language: string, maxNumber: number): NumberItem[][] {
  const skipped = [...text.matchAll(DATE_OR_TIME), ...text.matchAll(AMOUNT)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }));
  const isSkipped = ({ start }: Token): boolean =>
    skipped.some((one) => start >= one.start && start < one.end);
  const tokens = readTokens(text);
  const runs: NumberItem[][] = [];
  let run: NumberItem[] = [];
  let afterPause = true;
  let hasPlus = false;
  let pauses = 0;
  const endRun = (): void => {
    if (run.some(({ isDigits }) => isDigits)) runs.push(run);
    run = [];
    [afterPause, hasPlus, pauses] = [true, false, 0];
  };
  for (let index = 0; index < tokens.length;) {
    const token = tokens[index] as Token;
    const read = isSkipped(token) ? null : readItem(tokens, index, language, maxNumber, run);
    if (read && run.length < MAX_ITEMS) {
      // A plus and a bracket belong to the number.
      const before = tokens[index - 1];
      const start =
        before && /^[+(]$/.test(before.text) && before.end === token.start ? before.start : token.start;
      run.push({ ...read.item, start, afterPause, hasPlus });
      [afterPause, hasPlus, pauses] = [false, false, 0];
      index += read.count;
      continue;
    }
    const isPlus = (): boolean =>
      PLUS_WORDS.has(token.word) &&
      readItem(tokens, index + 1, language, maxNumber, [])?.item.isDigits === true;
    if (token.text === '+' || isPlus()) {
      [hasPlus, afterPause] = [true, true];
    } else if (JOINING.test(token.text)) afterPause ||= PAUSING.test(token.text);
    else if (HESITATIONS.has(token.word) && run.length > 0 && pauses < 3) {
      afterPause = true;
      pauses += 1;
    } else endRun();
    index += 1;
  }
  endRun();
  return runs;
}

type ReadItem = { item: Omit<NumberItem, 'afterPause' | 'hasPlus'>; count: number };

function readItem(
  tokens: readonly Token[],
  index: number,
  language: string,
  maxNumber: number,
  run: readonly NumberItem[],
): ReadItem | null {
  const token = tokens[index];
  if (!token) return null;
  const { start, text, word } = token;
  if (/^\d/.test(text)) return { item: { value: text, start, end: token.end, isDigits: true }, count: 1 };
  const times = REPETITIONS.get(word);
  if (times !== undefined) {
    const next = readItem(tokens, index + 1, language, 9, run);
    if (!next || !next.item.isDigits || next.item.value.length !== 1) return null;
    return { item: { ...next.item, value: next.item.value.repeat(times), start }, count: next.count + 1 };
  }
  const number = readNumber(tokens, index, language, maxNumber);
  if (number) return number;
  const letters = lettersOf(token, tokens[index + 1], run);
  return letters === null
    ? null
    : { item: { value: letters, start, end: token.end, isDigits: false }, count: 1 };
}

/** The most words that are one number. */
function readNumber(
  tokens: readonly Token[],
  index: number,
  language: string,
  maxNumber: number,
): ReadItem | null {
  const { valueOf, maxWords } = numberWordsIn(language);
  const words: string[] = [];
  let found: ReadItem | null = null;
  for (let next = index; next < tokens.length && words.length < maxWords; next += 1) {
    const { text, word, end } = tokens[next] as Token;
    // Only a hyphen stands between the words of one number.
    if (/^[-’']$/.test(text) && words.length > 0) continue;
    if (!/^\p{L}/u.test(text)) break;
    words.push(word);
    const value = valueOf.get(words.join(' '));
    if (value !== undefined && (value <= maxNumber || words.length === 1)) {
      const item = { value: String(value), start: tokens[index]?.start ?? 0, end, isDigits: true };
      found = { item, count: next - index + 1 };
    }
  }
  return found;
}

/** Letters of ids and of account numbers: one alone, or several in upper case. */
function lettersOf(
  { text, word, end }: Token,
  next: Token | undefined,
  run: readonly NumberItem[],
): string | null {
  if (/^[A-Za-z]$/.test(text)) return text.toUpperCase();
  if (/^[A-Z]{2,6}$/.test(text)) return text;
  const isAttached = /^\d/.test(next?.text ?? '') && next?.start === end;
  if (/^[a-z]{2,6}$/.test(text) && isAttached) return text.toUpperCase();
  return run.at(-1)?.isDigits ? (LETTER_NAMES.get(word) ?? null) : null;
}
