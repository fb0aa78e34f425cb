import {
  isSupportedCountry,
  parsePhoneNumberFromString,
  type CountryCode,
  type NumberType,
  type PhoneNumber,
} from 'libphonenumber-js/max';

const MAX_INPUT_LENGTH = 64;

/** Words, vanity letters (not the same digits everywhere) and the parameters of `tel:` links. */
const LETTER = /\p{L}/u;

/** Shorter than every number of every plan. */
const SOME_DIGITS = /\p{Nd}[^]*\p{Nd}/u;

/** Characters without a width, such as the direction marks that address books put around a number. */
const INVISIBLE = /\p{Cf}/gu;

/**
 * The E.164 form of what a person wrote, or null. A national number is read in `defaultCountry` (ISO 3166-1
 * alpha-2) and need only be possible, that is of a length that its country has, so that fictional ones and those
 * younger than the metadata pass. With a known calling code and 7–15 digits every international number passes: people
 * test with `+1234567890`. Letters and extensions are refused: neither can be dialled.
 */
export function toE164(input: string, defaultCountry: string): string | null {
  if (input.length > MAX_INPUT_LENGTH || LETTER.test(input)) return null;
  const written = input.replace(INVISIBLE, '').trim();
  // Before the parser, which takes 50 µs for every line of an import that is no number.
  if (!SOME_DIGITS.test(written)) return null;
  // 00 is not the international prefix everywhere, yet it is written everywhere.
  const international = written.replace(/^00/, '+');
  return (
    possible(written, defaultCountry) ??
    (international === written ? null : possible(international, defaultCountry)) ??
    inE164Form(international)
  );
}

const E164 = /^\+[1-9]\d{6,14}$/;

/** What people put between digits. */
const SEPARATOR = /[\s().\-\u2010-\u2015/]/g;

function inE164Form(written: string): string | null {
  const digits = written.replace(SEPARATOR, '');
  return E164.test(digits) && parse(digits)?.countryCallingCode !== undefined ? digits : null;
}

/** Fewer digits are a part of a number. */
const PART = /^\+?\d{1,6}$/;

/** The digits, with a leading + if there is one, of what is too short for a number; null: it is not. */
export function partOfNumber(input: string): string | null {
  const digits = input.replace(INVISIBLE, '').replace(SEPARATOR, '');
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

/** What the number's range is used for; undefined for a number that lies in no assigned range. */
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
  /** As `countryOf` tells it. */
  country: string | null;
  /** Whether the digits after the calling code tell where the number is; false in a range that is not assigned. */
  isGeographic(): boolean;
}

/** Parses once: `countryOf` and the type apart take twice as long, for each number of an import. */
export function rangeOf(e164: string): NumberRange {
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
  return number?.isPossible() && !number.ext ? number.number : null;
}

/**
 * The numbers that were parsed last, the oldest first. An SMS asks four times for its recipient (form, country, type,
 * assigned range), at 10 µs each.
 */
const parsed = new Map<string, PhoneNumber | undefined>();
const MAX_PARSED = 256;

function parse(written: string, defaultCountry?: string): PhoneNumber | undefined {
  // With a +, the country of the account does not matter.
  const isInternational = written.startsWith('+') || !defaultCountry || !isSupportedCountry(defaultCountry);
  const country = isInternational ? undefined : (defaultCountry as CountryCode);
  const name = country ? `${country} ${written}` : written;
  if (parsed.has(name)) return parsed.get(name);
  // Without `extract: false` the parser would pick a number out of any text around it.
  const number = parsePhoneNumberFromString(written, {
    extract: false,
    ...(country && { defaultCountry: country }),
  });
  if (parsed.size >= MAX_PARSED) for (const oldest of parsed.keys()) if (parsed.delete(oldest)) break;
  parsed.set(name, number);
  return number;
}
