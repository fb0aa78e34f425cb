import {
  isSupportedCountry,
  parsePhoneNumberFromString,
  type CountryCode,
  type NumberType,
  type PhoneNumber,
} from 'libphonenumber-js/max';
import { normalizeWrittenNumber, type NumberFault } from './written-number.js';

/** A number in E.164 form, or why the text is none. */
export type ParsedNumber = { number: string } | { fault: NumberFault };

/**
 * Reads what a person, a spreadsheet or another system wrote as one number; every input of numbers uses it. A national
 * number is read in `defaultCountry` (ISO 3166-1 alpha-2) and need only be possible, that is of a length that its
 * country has, so that fictional ones and those younger than the metadata pass. With a known calling code and 7–15
 * digits every international number passes: people test with `+1234567890`. A number that is written in two ways in
 * its country gets one form (`oneForm`).
 */
export function readNumber(input: string, defaultCountry: string): ParsedNumber {
  const read = readAsWritten(input, defaultCountry);
  return 'number' in read ? { number: oneForm(read.number) } : read;
}

/** The number of `readNumber`; null: the text is none. */
export function toE164(input: string, defaultCountry: string): string | null {
  const read = readNumber(input, defaultCountry);
  return 'number' in read ? read.number : null;
}

/** A number from the carrier, in the carrier's form: not `oneForm`. Null: it is no number. */
export function parseCarrierNumber(input: string, defaultCountry: string): string | null {
  const read = readAsWritten(input, defaultCountry);
  return 'number' in read ? read.number : null;
}

function readAsWritten(input: string, defaultCountry: string): ParsedNumber {
  const written = normalizeWrittenNumber(input);
  if ('fault' in written) return written;
  const text = withoutIdleZero(written.text, defaultCountry);
  if (isAmbiguous(text, defaultCountry)) return { fault: 'ambiguous' };
  // 00 is not the international prefix everywhere, yet it is written everywhere.
  const international = text.replace(/^00/, '+');
  const isNational = international === text || parse(text, defaultCountry)?.isValid();
  const number =
    (isNational ? possible(text, defaultCountry) : null) ??
    possible(international, defaultCountry) ??
    inE164Form(international);
  if (number === null) return { fault: 'impossible' };
  return !international.startsWith('+') && WITHOUT_AREA.test(number) ? { fault: 'ambiguous' } : { number };
}

/** `(0)` is also written where no 0 is dialled (Spain, Poland), or not in front of mobiles (Italy). */
function withoutIdleZero(text: string, country: string): string {
  const without = text.replace('(0)', ' ');
  if (without === text) return text;
  const isValid = (written: string): boolean =>
    inOneForm(parse(written.replace(/^00/, '+'), country))?.isValid() ?? false;
  return !isValid(text) && isValid(without) ? without : text;
}

const BARE_DIGITS = /^[1-9]\d+$/;
/** The international prefixes of North America and Australia. */
const FOREIGN_PREFIX = /^00?11(?=[1-9])/;
/** North America writes three, three and four digits, also of an area that is not assigned: no country is in front. */
const NORTH_AMERICAN = /^\(?\d{3}\)?[\s./-]?\d{3}[\s.-]\d{4}$/;
/** Italy's oldest mobile numbers look like numbers of a fixed line that lost its 0. */
const SHORT_MOBILE = /^3\d{8}$/;

/**
 * Spreadsheets take the + and zeros from the front of a number, and people leave them out. Digits are ambiguous where
 * they are no number that the country has assigned, but would be one with + or with 0, or where they are one in either
 * way; also behind the international prefix of another country.
 */
function isAmbiguous(written: string, country: string): boolean {
  const text = written.replace(SEPARATOR, '');
  const hasForeignPrefix = FOREIGN_PREFIX.test(text);
  if (!hasForeignPrefix && !BARE_DIGITS.test(text)) return false;
  const asWritten = parse(text, country);
  const isNational = asWritten?.isValid() ?? false;
  if (hasForeignPrefix) {
    return !isNational && (inOneForm(parse(text.replace(FOREIGN_PREFIX, '+')))?.isValid() ?? false);
  }
  const national = inOneForm(asWritten);
  const code = national?.countryCallingCode ?? '+';
  if (code === '1' && NORTH_AMERICAN.test(written)) return false;
  if (!isNational || text.startsWith(code)) {
    const international = inOneForm(parse(`+${text}`));
    if (international?.number === national?.number) return false;
    const isOurs = international?.countryCallingCode === code;
    if ((!isNational || isOurs) && international?.isValid()) return true;
  }
  if (isNational && !SHORT_MOBILE.test(text)) return false;
  const withZero = inOneForm(parse(`0${text}`, country));
  return withZero !== undefined && withZero.number !== national?.number && withZero.isValid();
}

/**
 * Numbers that are written in two ways, in the form that is dialled today. Each rule was published by the country's
 * regulator and joins two forms of one subscriber's number, never two subscribers:
 * - Mexico, August 2019: mobiles have no 1 (and no 044, 045, 01) behind +52;
 * - Brazil, until 2016: mobiles that begin with 6, 8 or 9 got a 9 in front, in all areas;
 * - Benin, November 2024: all numbers got 01 in front.
 * Argentina's 15 is replaced by 9 in `parse`; here is only what has both.
 */
const FORMS: readonly [form: RegExp, today: string][] = [
  [/^\+52(?:1|01|044|045)(\d{10})$/, '+52$1'],
  [/^\+55([14689][1-9]|2[12478]|3[1-578]|5[13-5]|7[13-579])([689]\d{7})$/, '+55$19$2'],
  [/^\+229(\d{8})$/, '+22901$1'],
  // The 0 of an area code behind the 9.
  [/^\+5490(\d{10})$/, '+549$1'],
];
/** Argentina's 15 without an area: the subscriber depends on where it is dialled. */
const WITHOUT_AREA = /^\+5415\d{6,8}$/;
const ARGENTINA_TWICE = /^\+549(\d{2,4}15\d{6,8})$/;

function oneForm(e164: string): string {
  for (const [form, today] of FORMS) if (form.test(e164)) return e164.replace(form, today);
  const withoutNine = ARGENTINA_TWICE.exec(e164)?.[1];
  const mobile = withoutNine === undefined ? undefined : parse(`+54${withoutNine}`);
  return mobile?.isValid() ? mobile.number : e164;
}

function inOneForm(number: PhoneNumber | undefined): PhoneNumber | undefined {
  const e164 = number && oneForm(number.number);
  return e164 === number?.number ? number : parse(e164 ?? '');
}

export const E164 = /^\+[1-9]\d{6,14}$/;

/** What people put between digits. */
const SEPARATOR = /[\s().\-\u2010-\u2015/]/g;

function inE164Form(written: string): string | null {
  const digits = written.replace(SEPARATOR, '');
  return E164.test(digits) && parse(digits)?.countryCallingCode !== undefined ? digits : null;
}

/** Fewer digits are a part of a number. */
const PART = /^\+?\d{1,6}$/;

/** The digits, with a leading + if there is one, of a text that is too short for a number; null: it is longer. */
export function parsePartialNumber(input: string): string | null {
  const digits = input.replace(/\p{Cf}/gu, '').replace(SEPARATOR, '');
  return PART.test(digits) ? digits : null;
}

/** Whether the number lies in a range that its country has assigned. */
export function isValidNumber(e164: string): boolean {
  return parse(e164)?.isValid() ?? false;
}

/** Whether the ISO 3166-1 alpha-2 code names a country with a number plan. */
export const isCountry = (code: string): boolean => isSupportedCountry(code);

/** Numbers of the sandbox's callees; number plans reserve these numbers for fiction. */
export const isSandboxNumber = (e164: string): boolean => /^\+1500555\d{4}$/.test(e164);

/** The use of the number's range; undefined for a number outside of the assigned ranges. */
export const numberTypeOf = (e164: string): NumberType | undefined => parse(e164)?.getType();

/**
 * The ISO country of the number's range, also where countries share a calling code; null for none or unknown.
 * Where even the range is shared (some mobiles of the Isle of Man), the country that runs the plan.
 */
export function countryOf(e164: string): string | null {
  return parse(e164)?.country ?? null;
}

/** Mobile numbers of these calling codes begin with an area code too: Mexico, Brazil, and some of Indonesia. */
const MOBILE_AREAS: readonly string[] = ['52', '55', '62'];

/** The range of a number in its plan. */
export interface NumberRange {
  /** As returned by `countryOf`. */
  country: string | null;
  /** Whether the digits after the calling code are an area code; false in a range that is not assigned. */
  isGeographic(): boolean;
}

/** Parses once: `countryOf` and the type apart take twice as long, for each number of an import. */
export function numberRangeOf(e164: string): NumberRange {
  const number = parse(e164);
  return { country: number?.country ?? null, isGeographic: () => number !== undefined && hasArea(number) };
}

function hasArea(number: PhoneNumber): boolean {
  const type = number.getType();
  if (type === 'MOBILE') return MOBILE_AREAS.includes(number.countryCallingCode);
  return type === 'FIXED_LINE' || type === 'FIXED_LINE_OR_MOBILE';
}

/** `1` of `+15005550020`; null when it begins with no country's code. */
export function callingCodeOf(e164: string): string | null {
  return parse(e164)?.countryCallingCode ?? null;
}

/** `+1 415 234 5678`, the international form of an E.164 number. */
export const formatNumber = (e164: string): string => parse(e164)?.formatInternational() ?? e164;

function possible(written: string, defaultCountry: string): string | null {
  const number = parse(written, defaultCountry);
  if (!number || number.ext) return null;
  // The longer form of a number that has two is of no length that its country has.
  return number.isPossible() || oneForm(number.number) !== number.number ? number.number : null;
}

function parse(written: string, defaultCountry?: string): PhoneNumber | undefined {
  // With a +, the country of the account does not matter.
  const isInternational = written.startsWith('+') || !defaultCountry || !isSupportedCountry(defaultCountry);
  // Without `extract: false` the parser would pick a number out of any text around it.
  return parsePhoneNumberFromString(written, {
    extract: false,
    ...(!isInternational && { defaultCountry: defaultCountry as CountryCode }),
  });
}
