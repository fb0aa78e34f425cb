import { isValidIBAN } from 'ibantools';
import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';
import { personValidators } from 'stdnum';

/** Validators by country (ISO 3166-1 alpha-2) of numbers that are no number of a person. */
const OMITTED: Readonly<Record<string, readonly string[]>> = {
  // Every tenth number of ten digits is one.
  GB: ['UTR'],
  FR: ['NIF'],
  NL: ['Dutch Student Identification Number'],
};

/** Countries whose validators have no check digit: the number counts with a word about it or in its written groups. */
const WITHOUT_CHECK: Readonly<Record<string, RegExp>> = { US: /^\d{3}-\d{2}-\d{4}$|^\d{3} \d{2} \d{4}$/ };

export const MIN_ID_LENGTH = 8;
export const MAX_ID_LENGTH = 18;

/** A national id of one of the countries. @param written as it stands in the text */
export function isNationalId(
  value: string,
  written: string,
  countries: readonly string[],
  hasCue: boolean,
): boolean {
  return countries.some((country) => {
    const grouped = WITHOUT_CHECK[country];
    if (grouped && !hasCue && !grouped.test(written)) return false;
    const omitted = OMITTED[country] ?? [];
    return (personValidators[country] ?? []).some(
      ({ abbreviation, name, validate }) =>
        !omitted.includes(abbreviation ?? name) && validate(value).isValid,
    );
  });
}

export const MIN_IBAN_LENGTH = 15;
export const MAX_IBAN_LENGTH = 34;

export const isIban = (value: string): boolean => /^[A-Z]{2}\d{2}/.test(value) && isValidIBAN(value);

export const MIN_PHONE_DIGITS = 7;
export const MAX_PHONE_DIGITS = 15;

/** Countries whose national numbers have no first 0. */
const WITHOUT_ZERO: ReadonlySet<string> = new Set('US CA MX ES PT PL IT DK NO CZ GR BR HK SG'.split(' '));

/** National numbers without a first 0 in countries where others have one. */
const NATIONAL: Readonly<Record<string, RegExp>> = {
  CN: /^1[3-9]\d{9}$/,
  IN: /^[6-9]\d{9}$/,
  RU: /^(?:8\d{10}|9\d{9})$/,
};

/** A telephone number that is assigned in one of the countries, or with a plus or 00 anywhere. */
export function isPhoneNumber(
  digits: string,
  { hasPlus, hasCue }: { hasPlus: boolean; hasCue: boolean },
  countries: readonly string[],
): boolean {
  const international = hasPlus ? digits : digits.startsWith('00') ? digits.slice(2) : null;
  if (international !== null && isAssigned(`+${international}`, undefined)) return true;
  return countries.some((country) => {
    const isNational =
      digits.startsWith('0') || WITHOUT_ZERO.has(country) || NATIONAL[country]?.test(digits) || hasCue;
    return isNational && isAssigned(digits, country as CountryCode);
  });
}

const isAssigned = (number: string, country: CountryCode | undefined): boolean =>
  parsePhoneNumberFromString(number, country && { defaultCountry: country, extract: false })?.isValid() ??
  false;
