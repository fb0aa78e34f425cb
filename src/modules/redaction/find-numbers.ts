import { isCardNumber, MAX_CARD_DIGITS, MIN_CARD_DIGITS } from './card-numbers.js';
import { findEmails } from './find-emails.js';
import { readRuns, readTokens, type NumberItem } from './number-items.js';
import {
  isIban,
  isNationalId,
  isPhoneNumber,
  MAX_IBAN_LENGTH,
  MAX_ID_LENGTH,
  MAX_PHONE_DIGITS,
  MIN_IBAN_LENGTH,
  MIN_ID_LENGTH,
  MIN_PHONE_DIGITS,
} from './personal-numbers.js';
import { toPlainText, wholeEnd } from './plain-text.js';
import { CUES, CURRENCY, HESITATIONS } from './spoken-words.js';

/** `part`: of a number that may go on in the next turn. */
export type NumberKind = 'card' | 'iban' | 'id' | 'phone' | 'email' | 'keys' | 'part';

/** A number in a text: its place and its kind. */
export interface FoundNumber {
  start: number;
  end: number;
  kind: NumberKind;
  /** Only the words before it say so: there may be more of it. */
  isGuess?: boolean;
}

export interface SearchOptions {
  /** BCP 47 */
  language: string;
  /** ISO 3166-1 alpha-2, whose ids and national telephone numbers are searched. */
  countries: readonly string[];
  /** What was said before the text, for example the question. */
  before?: string;
}

/** Characters before a number in which words say what it is. */
const CUE_DISTANCE = 70;
/** Digits that it takes where the check digits do not fit: a recogniser misheard, or it is a part of the number. */
const MIN_MISHEARD = { card: 7, iban: 8, id: 7, phone: 6 } as const;
/** Marks of the service for pressed keys, and of speech providers that redact: "[CREDIT_CARD_1]". */
const MARKS: readonly [RegExp, NumberKind][] = [
  [/\[keys pressed: [^\]]*\]/g, 'keys'],
  [/\[(?:CREDIT_CARD|CVV)\w*\]/g, 'card'],
  [
    /\[(?:SSN|ACCOUNT_NUMBER|BANK_ACCOUNT|DRIVER_LICENSE|PASSPORT_NUMBER|HEALTHCARE_NUMBER|NUMERICAL_PII)\w*\]/g,
    'id',
  ],
  [/\[PHONE_NUMBER\w*\]/g, 'phone'],
  [/\[EMAIL_ADDRESS\w*\]/g, 'email'],
];

/** The highest number of words that belong together, from the most to the fewest: "one hundred six" is 106 or 100 6. */
const READINGS = [999, 99, 20] as const;

type Cue = keyof typeof CUES;

/** Look-ups of ids and telephone numbers in one text, which has a few; more would take long. */
const MAX_CHECKS = 1_000;

/** A text that is searched. */
interface Search {
  text: string;
  options: SearchOptions;
  checksLeft: number;
}

/** A number at the end of a text that may go on. */
export interface OpenNumber {
  start: number;
  end: number;
  /** Digits and letters so far. */
  length: number;
  /** Whether the words before it say that it is one that is hidden. */
  isNamed: boolean;
}

/** The numbers of a text that are hidden; they do not overlap. */
export function findNumbers(original: string, options: SearchOptions): FoundNumber[] {
  const text = toPlainText(original);
  const language = baseLanguage(options.language);
  const found: FoundNumber[] = [
    ...MARKS.flatMap(([mark, kind]) =>
      [...text.matchAll(mark)].map(({ 0: words, index }) => toFound(index, index + words.length, kind)),
    ),
    ...findEmails(text, language, options.before).map(({ start, end }) => toFound(start, end, 'email')),
  ];
  const isFree = ({ start, end }: FoundNumber): boolean =>
    !found.some((other) => start < other.end && other.start < end);
  const readings = READINGS.map((maxNumber) => readRuns(text, language, maxNumber)).filter(isNewReading);
  const search = { text, options, checksLeft: MAX_CHECKS };
  // A number with check digits counts before one that only has the form.
  for (const isStrict of [true, false]) {
    for (const runs of readings) {
      for (const run of runs) found.push(...findInRun(search, run, isStrict).filter(isFree));
    }
  }
  const whole = found.map((number) => ({ ...number, end: wholeEnd(original, number.end) }));
  return whole.sort((a, b) => a.start - b.start);
}

/** Without number words all readings are one. */
const isNewReading = (runs: NumberItem[][], index: number, all: NumberItem[][][]): boolean =>
  index === 0 || JSON.stringify(runs) !== JSON.stringify(all[index - 1]);

/** The unfinished number at the end of a text, also a guessed one; null: it ends otherwise. */
export function findOpenNumber(
  original: string,
  options: SearchOptions,
  found: readonly FoundNumber[],
): OpenNumber | null {
  const text = toPlainText(original);
  const run = readRuns(text, baseLanguage(options.language), 99).at(-1);
  const sure = found.filter(({ isGuess }) => isGuess !== true);
  const free = run?.filter(({ start, end }) => !sure.some((one) => start < one.end && one.start < end));
  const [first, last] = [free?.[0], free?.at(-1)];
  if (!first || !last) return null;
  const after = readTokens(text.slice(last.end)).filter(({ word }) => !HESITATIONS.has(word));
  if (after.some((token) => /[\p{L}\d%€$£]/u.test(token.text))) return null;
  const value = free?.map((item) => item.value).join('') ?? '';
  const cue = cueBefore(text, first.start, options.before);
  const isNamed = cue !== null && cue !== 'other';
  return { start: first.start, end: wholeEnd(original, last.end), length: value.length, isNamed };
}

const baseLanguage = (tag: string): string => (tag.split('-')[0] ?? '').toLowerCase();

const toFound = (start: number, end: number, kind: NumberKind): FoundNumber => ({ start, end, kind });

/** @param isStrict with their check digits; else by the words before them */
function findInRun(search: Search, run: readonly NumberItem[], isStrict: boolean): FoundNumber[] {
  const found: FoundNumber[] = [];
  for (let index = 0; index < run.length;) {
    const next = isStrict ? findChecked(search, run, index) : findByCue(search, run, index);
    if (next) found.push(next.number);
    index = next ? next.next : index + 1;
  }
  return found;
}

interface Match {
  number: FoundNumber;
  /** Index of the item after it. */
  next: number;
}

function findChecked(search: Search, run: readonly NumberItem[], first: number): Match | null {
  const { text, options } = search;
  const item = run[first] as NumberItem;
  const before = run[first - 1];
  const startsHere = !before || item.afterPause || item.isDigits !== before.isDigits;
  const cue = cueBefore(text, item.start, options.before);
  const matches: Partial<Record<NumberKind, Match>> = {};
  let value = '';
  for (let last = first; last < run.length; last += 1) {
    const end = run[last] as NumberItem;
    value += end.value;
    if (value.length > MAX_IBAN_LENGTH) break;
    const after = run[last + 1];
    const endsHere = !after || after.afterPause || !after.isDigits;
    const kind = checkedKind(value, text.slice(item.start, end.end), {
      search,
      cue,
      startsHere,
      endsHere,
      hasPlus: item.hasPlus,
      isPriced: !after && CURRENCY.test(text.slice(end.end)),
    });
    if (kind) matches[kind] = { number: toFound(item.start, end.end, kind), next: last + 1 };
  }
  return matches.iban ?? matches.card ?? matches.id ?? matches.phone ?? null;
}

interface Situation {
  search: Search;
  cue: Cue | null;
  startsHere: boolean;
  endsHere: boolean;
  hasPlus: boolean;
  isPriced: boolean;
}

function checkedKind(value: string, written: string, situation: Situation): NumberKind | null {
  const { search, cue, startsHere, endsHere, hasPlus, isPriced } = situation;
  const { countries } = search.options;
  const { length } = value;
  if (/[A-Z]/.test(value)) {
    if (length >= MIN_IBAN_LENGTH && isIban(value)) return 'iban';
    const mayBeId = length >= MIN_ID_LENGTH && length <= MAX_ID_LENGTH && /\d{2}/.test(value);
    return mayBeId && search.checksLeft-- > 0 && isNationalId(value, written, countries, cue === 'id')
      ? 'id'
      : null;
  }
  if (length >= MIN_CARD_DIGITS && length <= MAX_CARD_DIGITS && isCardNumber(value)) return 'card';
  if (!startsHere || !endsHere || isPriced || cue === 'other') return null;
  const mayBeId = length >= MIN_ID_LENGTH && length <= MAX_ID_LENGTH && cue !== 'phone' && !hasPlus;
  if (mayBeId && search.checksLeft-- > 0 && isNationalId(value, written, countries, cue === 'id'))
    return 'id';
  const mayBePhone = length >= MIN_PHONE_DIGITS && length <= MAX_PHONE_DIGITS;
  const said = { hasPlus, hasCue: cue === 'phone' };
  return mayBePhone && search.checksLeft-- > 0 && isPhoneNumber(value, said, countries) ? 'phone' : null;
}

/** A number whose check digits do not fit, where the words before it say what it is. */
function findByCue({ text, options }: Search, run: readonly NumberItem[], first: number): Match | null {
  const item = run[first] as NumberItem;
  if (first > 0 && !item.afterPause && item.isDigits === run[first - 1]?.isDigits) return null;
  const cue = cueBefore(text, item.start, options.before);
  if (cue === null || cue === 'other') return null;
  let last = first;
  let value = item.value;
  while (last + 1 < run.length && (cue === 'iban' || cue === 'id' || run[last + 1]?.isDigits))
    value += run[(last += 1)]?.value;
  const end = run[last] as NumberItem;
  const digits = value.replace(/\D/g, '').length;
  if (digits < MIN_MISHEARD[cue] || digits > MAX_IBAN_LENGTH) return null;
  if (last + 1 === run.length && CURRENCY.test(text.slice(end.end))) return null;
  return { number: { ...toFound(item.start, end.end, cue), isGuess: true }, next: last + 1 };
}

/** The last word before a number that says what it is. */
function cueBefore(text: string, start: number, before = ''): Cue | null {
  const said = `${before.slice(-CUE_DISTANCE * 2)} ${text.slice(0, start)}`;
  const near = text.slice(0, start).trim() === '' || start < CUE_DISTANCE ? said : said.slice(-CUE_DISTANCE);
  let found: Cue | null = null;
  let at = -1;
  for (const [kind, words] of Object.entries(CUES) as [Cue, RegExp][]) {
    for (const { index } of near.matchAll(words)) if (index > at) [found, at] = [kind, index];
  }
  return found;
}
