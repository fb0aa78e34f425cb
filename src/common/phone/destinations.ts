import type { NumberType } from 'libphonenumber-js/max';
import { countryOf, isSandboxNumber, numberTypeOf } from './phone.js';

/**
 * Types whose caller pays more than the number's country costs, with a share for the callee: the basis of
 * toll fraud. Personal numbers (+44 70) and pagers (+44 76) are priced like premium ones. Company-wide numbers
 * (`UAN`, +44 3) and `TOLL_FREE` cost no more than a usual call and stay allowed.
 */
const REFUSED_TYPES: ReadonlySet<NumberType> = new Set([
  'PREMIUM_RATE',
  'SHARED_COST',
  'PERSONAL_NUMBER',
  'PAGER',
]);

/**
 * Calling codes that belong to no country (ITU-T E.164): 808 shared cost, 870–874 Inmarsat, 878 personal
 * numbers, 881 satellites, 882 and 883 international networks, 888 disaster relief, 979 premium rate.
 */
const REFUSED_CODES = /^\+(?:808|87[0-48]|88[1238]|979)/;

/** United States and Canada: premium area code 900, and exchange 976 in every area. */
const NANP_PREMIUM = /^\+1(?:900\d{7}|\d{3}976\d{4})$/;

/**
 * Whether a call or a message may go to this E.164 number. `allowedCountries`: null allows all; a list refuses
 * numbers of other countries and of none. The sandbox's numbers are always allowed.
 */
export function isAllowedDestination(e164: string, allowedCountries: readonly string[] | null): boolean {
  if (isSandboxNumber(e164)) return true;
  if (isRefusedRange(e164)) return false;
  if (allowedCountries === null) return true;
  const country = countryOf(e164);
  return country !== null && allowedCountries.includes(country);
}

function isRefusedRange(e164: string): boolean {
  if (REFUSED_CODES.test(e164) || NANP_PREMIUM.test(e164)) return true;
  const type = numberTypeOf(e164);
  return type !== undefined && REFUSED_TYPES.has(type);
}
