/** What networks write for a number that is withheld or that they were not given. */
const WORDS = ['anonymous', 'blocked', 'private', 'restricted', 'unavailable', 'unknown'];

/** Digits of the letters a to z on a telephone's keypad. */
const KEYPAD = '22233344455566677778889999';

const onKeypad = (word: string): string =>
  word.replace(/[a-z]/g, (letter) => KEYPAD.charAt(letter.charCodeAt(0) - 'a'.charCodeAt(0)));

/** Where only digits pass, the word is dialled: `+266696687` is "anonymous". */
const WITHHELD: ReadonlySet<string> = new Set(WORDS.flatMap((word) => [word, onKeypad(word)]));

/** The caller of the carrier's form; null when the number is withheld, also in a SIP address. */
export function toCaller(from: string | undefined): string | null {
  const caller = from?.trim() ?? '';
  const name = caller
    .toLowerCase()
    .replace(/^(\+|sips?:)/, '')
    .replace(/@.*$/, '');
  return name === '' || WITHHELD.has(name) ? null : caller;
}
