/** Longer than every way to write one number. */
export const MAX_PHONE_LENGTH = 64;

/**
 * Why a text is read as no number:
 * - `impossible`: it is none, or one of no country;
 * - `damaged`: a spreadsheet stored it as a number, a date or a formula, and digits may be lost;
 * - `several`: more than one number;
 * - `extension`: digits that would have to be dialled after the answer;
 * - `ambiguous`: digits without + that are a number of another country, or another one with the 0 that they lost.
 */
export type NumberFault = 'impossible' | 'damaged' | 'several' | 'extension' | 'ambiguous';

/** Error message of each fault, as in `The phone number field RULE.` */
export const NUMBER_RULES: Readonly<Record<NumberFault, string>> = {
  impossible: 'must be a valid phone number',
  damaged: 'was changed by a spreadsheet: format its column as text, and enter the number again',
  several: 'must be one phone number, not several',
  extension: 'must not have an extension, which cannot be dialled',
  ambiguous: 'is not clear: write it with + and the country code',
};

/** Characters without a width, such as the direction marks that address books put around a number. */
const INVISIBLE = /\p{Cf}/gu;
/** Full-width forms of ASCII, and the digits of Arabic and of Persian and Urdu. */
const OTHER_FORMS = /[\uFF01-\uFF5E\u0660-\u0669\u06F0-\u06F9]/g;
const FULL_WIDTH = 0xff01;
const FULL_WIDTH_TO_ASCII = 0xfee0;

function plainForm(character: string): string {
  const code = character.charCodeAt(0);
  // The digits of Arabic script begin at 0x660 and 0x6f0.
  return code >= FULL_WIDTH ? String.fromCharCode(code - FULL_WIDTH_TO_ASCII) : String(code & 0xf);
}

/** A formula that only keeps digits as text: `="+4930901820"`, and `=+4930901820`. */
const TEXT_FORMULA = /^=\s*(?:(["'\u2018-\u201f])(.*)["'\u2018-\u201f]|(\+?\d+))$/;
const QUOTED = /^(["'\u2018-\u201f])(.*)["'\u2018-\u201f]$/;
/** Marks a cell of a spreadsheet as text. */
const TEXT_MARK = /^['\u2018\u2019`]/;
const LINK = /^tel:\s*/i;

function unwrapped(text: string): string {
  const formula = TEXT_FORMULA.exec(text);
  const inner = formula ? (formula[2] ?? formula[3] ?? '') : (QUOTED.exec(text)?.[2] ?? text);
  return inner.trim().replace(TEXT_MARK, '').replace(LINK, '').trim();
}

/** `#####`, `#N/A`, `#NAME?`, `4.93E+11`, `4,9e11`. */
const ERROR_VALUE = /^#/;
const EXPONENT = /^[+-]?\d+(?:[.,]\d*)?\s*(?:e\s*[+-]?|[x×*]\s*10\s*\^?)\s*\d+$/i;
/** A negative number: `+49-30-901820` was computed, or the accounting form `(901820)`. */
const NEGATIVE = /^(?:[-\u2212]\s*[\d(]|\(\d+(?:[.,]\d+)?\)$)/;
/** `05.12.2026`, `5/12/26`, `2026-12-05`, each also with a time. */
const DATE =
  /^(?:(?:0?[1-9]|[12]\d|3[01])([./-])(?:0?[1-9]|[12]\d|3[01])\1(?:(?:19|20)\d\d|\d\d)|(?:19|20)\d\d([./-])(?:0?[1-9]|1[0-2])\2(?:0?[1-9]|[12]\d|3[01]))(?:[ T]\d|$)/;
const FORMULA = /^=/;
/** Digits with one point or comma. */
const FRACTION = /^(\+?\d+)[.,](\d*)$/;
/** Fewer digits in front of a point are an area code or a country code, as in `+49.30901820`. */
const MIN_WHOLE_DIGITS = 7;
/** More digits behind a point are no cents. */
const MAX_FRACTION_DIGITS = 2;
/** No prefix is zeros alone: `0.0000018111` is the value of `+49/30/901820`. */
const COMPUTED = /^0+$/;
/** The same behind a number with separators: `+49 30 901820.0`. Written groups of the digits have two or more. */
const FRACTION_BEHIND = /^([^]*?(\d{2,}))(?:\s?[.,]\s?0){0,3}\s?([.,])\s?(\d{0,2})$/;
/** Two digits behind a point are a group of digits where a pair or another point is in front: `01 42 68 53.00`. */
const MIN_RUN_BEFORE_TWO = 3;
/**
 * Of 4.93E+11 that was stored as digits, six and more are left as zeros. With + or 0 in front it was text all along.
 */
const ROUNDED = /^(?=\d{8})[1-9]\d*0{6}$/;

/** Behind a whole number; `030 (901820)` is one. */
const BRACKETED_EXTENSION = /\d[^(]*\(\s*\d{1,4}\s*\)$/;
const EXTENSION =
  /(?:\b(?:x|ext|extension|extn|ramal|poste|durchwahl|dw|anexo|int)\b|x|#|ext|,,|;\s*ext\s*=)[\s.:=]*\d+#?$/i;
/** What separates numbers in one cell, apart from what people also put between digits. */
const BETWEEN_NUMBERS = /[;,|&\n\r\t~\u2053\u223c]|\b(?:or|oder|and|und|ou|et|o|y|e)\b|\+[^+]*\d[^+]*\+/i;
const SIDES = /\/|\s[\u2010-\u2015-]\s/g;
/** Digits of the shortest number that somebody writes beside another one. */
const MIN_SIDE_DIGITS = 7;
/** `030/901820`, `+49 30/901820`, `0049 4932/901820`: country and area. */
const MAX_AREA_DIGITS = { national: 6, international: 9 };
const MIN_BEHIND_SLASH = 4;

/** Words, vanity letters (not the same digits everywhere) and the parameters of `tel:` links. */
const LETTER = /\p{L}/u;
/** Shorter than every number of every plan. */
const SOME_DIGITS = /\d[^]*\d/;

/**
 * One number as people write it, in ASCII and without surrounding characters; the digits are all there, and no others.
 * The table of what is read and what is refused is in docs/use/imports.md.
 */
export function normalizeWrittenNumber(input: string): { text: string } | { fault: NumberFault } {
  if (input.length > MAX_PHONE_LENGTH) return { fault: 'impossible' };
  const text = unwrapped(input.replace(INVISIBLE, '').replace(OTHER_FORMS, plainForm).trim());
  if (ERROR_VALUE.test(text) || FORMULA.test(text) || EXPONENT.test(text)) return { fault: 'damaged' };
  if (!SOME_DIGITS.test(text)) return { fault: 'impossible' };
  if (NEGATIVE.test(text) || DATE.test(text) || ROUNDED.test(text)) return { fault: 'damaged' };
  const fraction = FRACTION.exec(text);
  if (fraction) {
    const [, whole = '', rest = ''] = fraction;
    const isFraction =
      digitsIn(whole) >= MIN_WHOLE_DIGITS || rest.length <= MAX_FRACTION_DIGITS || COMPUTED.test(whole);
    if (isFraction) return /^0{0,2}$/.test(rest) ? normalizeWrittenNumber(whole) : { fault: 'damaged' };
  }
  const behind = fractionBehind(text);
  if (behind) return /^0*$/.test(behind.rest) ? normalizeWrittenNumber(behind.whole) : { fault: 'damaged' };
  if (EXTENSION.test(text) || hasBracketedExtension(text)) return { fault: 'extension' };
  if (isSeveral(text)) return { fault: 'several' };
  return LETTER.test(text) ? { fault: 'impossible' } : { text: text.replace(/\s+/g, ' ') };
}

const hasBracketedExtension = (text: string): boolean =>
  BRACKETED_EXTENSION.test(text) && digitsIn(text.slice(0, text.lastIndexOf('('))) >= MIN_SIDE_DIGITS;

const digitsIn = (text: string): number => text.replace(/\D/g, '').length;

function fractionBehind(text: string): { whole: string; rest: string } | null {
  const [, whole = '', run = '', sign = '', rest = ''] = FRACTION_BEHIND.exec(text) ?? [];
  if (digitsIn(whole) < MIN_WHOLE_DIGITS) return null;
  const isGroup = rest.length === 2 && (whole.includes(sign) || run.length < MIN_RUN_BEFORE_TWO);
  return isGroup ? null : { whole, rest };
}

function isSeveral(text: string): boolean {
  if (BETWEEN_NUMBERS.test(text)) return digitsIn(text) >= MIN_SIDE_DIGITS;
  const isInternational = /^(?:\(?\+|00)/.test(text);
  const maxArea = isInternational ? MAX_AREA_DIGITS.international : MAX_AREA_DIGITS.national;
  for (const { 0: sign, index } of text.matchAll(SIDES)) {
    const before = digitsIn(text.slice(0, index).replace(/^00/, ''));
    const behind = digitsIn(text.slice(index));
    if (before >= MIN_SIDE_DIGITS && behind >= MIN_SIDE_DIGITS) return true;
    if (sign === '/' && (before > maxArea || behind < MIN_BEHIND_SLASH)) return true;
  }
  return false;
}
