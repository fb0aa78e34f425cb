import {
  isSupportedCountry,
  parsePhoneNumberFromString,
  type NumberType,
  type PhoneNumber,
} from 'libphonenumber-js/max';

const MAX_INPUT_LENGTH = 64;

/** Words, vanity letters (not the same digits everywhere) and the parameters of `tel:` links. */
const LETTER = /\p{L}/u;

/** Characters without a width, such as the direction marks that address books put around a number. */
const INVISIBLE = /\p{Cf}/gu;

/**
 * The E.164 form of what a person wrote, or null. A national number is read in `defaultCountry` (ISO 3166-1
 * alpha-2). The number need only be possible, that is of a length that its country has, so that fictional
 * ones and those younger than the metadata pass. Letters and extensions are refused: neither can be dialled.
 */
export function toE164(input: string, defaultCountry: string): string | null {
  if (input.length > MAX_INPUT_LENGTH || LETTER.test(input)) return null;
  const written = input.replace(INVISIBLE, '').trim();
  // 00 is not the international prefix everywhere, yet it is written everywhere.
  return possible(written, defaultCountry) ?? possible(written.replace(/^00/, '+'), defaultCountry);
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

/** `1` of `+15005550020`; null when it begins with no country's code. */
export function callingCodeOf(e164: string): string | null {
  return parse(e164)?.countryCallingCode ?? null;
}

function possible(written: string, defaultCountry: string): string | null {
  const number = parse(written, defaultCountry);
  return number?.isPossible() && !number.ext ? number.number : null;
}

function parse(written: string, defaultCountry?: string): PhoneNumber | undefined {
  const country = defaultCountry && isSupportedCountry(defaultCountry) ? defaultCountry : undefined;
  // Without `extract: false` the parser would pick a number out of any text around it.
  return parsePhoneNumberFromString(written, { extract: false, ...(country && { defaultCountry: country }) });
}
