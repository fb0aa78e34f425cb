import { findPack } from '../languages/languages.js';
import { splitWords, toWords } from '../languages/word-lists.js';
import { countWords, isBackchannel } from './interruption-policy.js';

/** In languages without a pack. */
const SHORT_WORDS = 2;
/** Of an unknown word, a name at most; longer ones are sentences in languages without spaces. */
const MAX_NAME_CHARACTERS = 4;

/** Whether the customer only says goodbye: "Thank you, bye", with a name at most. @param language BCP 47 */
export function isFarewell(text: string, language: string): boolean {
  if (isBackchannel(text, language)) return true;
  const pack = findPack(language);
  if (!pack) return countWords(text, language) <= SHORT_WORDS;
  const parting = toWords(pack.farewell.parting);
  const known = toWords(pack.farewell.parting, pack.farewell.others);
  const words = splitWords(text, language, known);
  const unknown = words.filter((word) => !known.has(word));
  const isName = unknown.length === 0 || (unknown.length === 1 && isShort(unknown[0] ?? '', language));
  return isName && words.some((word) => parting.has(word));
}

const isShort = (word: string, language: string): boolean =>
  word.length <= MAX_NAME_CHARACTERS || !/^(?:zh|ja)/.test(language);
