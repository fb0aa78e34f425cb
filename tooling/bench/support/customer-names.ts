const PREFIX = 'Customer-';
/** Letters in place of the digits, which are spoken as words. */
const DIGITS = 'abcdefghij';
const NAME = new RegExp(`${PREFIX}[${DIGITS}]+`);

/** @param call number of the customer's call */
export const customerName = (call: number): string =>
  PREFIX + [...String(call)].map((digit) => DIGITS[Number(digit)]).join('');

/** The first name in a text; undefined: none. */
export const nameIn = (text: string): string | undefined => NAME.exec(text)?.[0];

/** Number of the call of the customer whose name a text has; undefined: it has none. */
export function callIn(text: string): number | undefined {
  const letters = nameIn(text)?.slice(PREFIX.length);
  if (letters === undefined) return undefined;
  return Number([...letters].map((letter) => DIGITS.indexOf(letter)).join(''));
}

export const questionOf = (name: string): string => `I am ${name}. When can I collect my bicycle?`;
