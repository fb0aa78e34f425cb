import { countryOf, toE164 } from '#src/common/phone/phone.js';

/** What networks write for a number that is withheld or that they were not given. */
const WORDS = ['anonymous', 'blocked', 'private', 'restricted', 'unavailable', 'unknown'];
/** The same in several words; blanks and signs are left out. */
const PHRASES = [
  'anonymouscaller',
  'calleridunavailable',
  'nocallerid',
  'notavailable',
  'privatecaller',
  'privatenumber',
  'unknowncaller',
  'unknownnumber',
  'withheld',
  'withheldnumber',
];

/** Digits of the letters a to z on a telephone's keypad. */
const KEYPAD = '22233344455566677778889999';

const onKeypad = (word: string): string =>
  word.replace(/[a-z]/g, (letter) => KEYPAD.charAt(letter.charCodeAt(0) - 'a'.charCodeAt(0)));

/** Where only digits pass, the word is dialled: `+266696687` is "anonymous". */
const WITHHELD: ReadonlySet<string> = new Set([
  ...WORDS.flatMap((word) => [word, onKeypad(word)]),
  ...PHRASES,
]);

const DIGITS = /^\d{8,15}$/;
const SEPARATORS = /[\s().-]/g;
/** In these addresses a number in international form is one; other names belong to the address's domain. */
const NUMBER_IN_URI = /^(?:tel:(.+?)|sips?:(\+\d{7,15}))(?:[@;].*)?$/i;

/**
 * The caller of the carrier's form. A telephone number is in E.164: trunks write it without + or without the country,
 * and then the called number's country counts. Anything else (`client:` and `sip:` addresses, a number that the country
 * does not have) stays as it came.
 *
 * @param called the number that was called, in E.164
 * @returns null when the number is withheld, also in a SIP address
 */
export function readCaller(from: string | undefined, called: string): string | null {
  const caller = from?.trim() ?? '';
  const uri = NUMBER_IN_URI.exec(caller);
  if (isWithheld(caller)) return null;
  const number = uri?.[1] ?? uri?.[2] ?? caller;
  return toNumber(number, countryOf(called)) ?? caller;
}

/** The number that was called, which some trunks write without its +. */
export const readCalledNumber = (to: string): string => (DIGITS.test(to) ? `+${to}` : to);

function isWithheld(caller: string): boolean {
  const name = caller
    .toLowerCase()
    .replace(/^(tel|sips?):/, '')
    .replace(/[@;].*$/, '')
    .replace(/[^\p{L}\p{Nd}]/gu, '');
  return /^0*$/.test(name) || WITHHELD.has(name);
}

/** Without a +, what is no number of the country is one that lacks only the +. */
function toNumber(written: string, country: string | null): string | null {
  const national = country === null ? null : toE164(written, country);
  const digits = written.replace(SEPARATORS, '');
  if (national !== null || !DIGITS.test(digits)) return national ?? toE164(written, '');
  return toE164(`+${digits}`, '');
}
