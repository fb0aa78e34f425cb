/** Issuers by their first digits, with the lengths of their numbers. */
const ISSUERS: readonly [RegExp, readonly number[]][] = [
  [/^3[47]/, [15]],
  [/^3(?:0[0-5]|[689])/, [14, 16]],
  [/^35(?:2[89]|[3-8])/, [16]],
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^6(?:011|4[4-9]|5)/, [16, 19]],
  [/^62/, [16, 17, 18, 19]],
  [/^(?:50|5[6-9]|6[013-8])/, [12, 13, 14, 15, 16, 17, 18, 19]],
];

export const MIN_CARD_DIGITS = 12;
export const MAX_CARD_DIGITS = 19;

/** An issuer's first digits, length and check digit (Luhn). */
export const isCardNumber = (digits: string): boolean =>
  mayBeCardNumber(digits) && isLuhn(digits) && !/^\d0+$/.test(digits);

/** An issuer's first digits and length, where the check digit is not known. */
export const mayBeCardNumber = (digits: string): boolean =>
  ISSUERS.some(([prefix, lengths]) => lengths.includes(digits.length) && prefix.test(digits));

function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
