import { findPack } from '../languages/languages.js';
import { splitWords, toWords } from '../languages/word-lists.js';
import { countWords, endsInQuestion, isBackchannel } from './interruption-policy.js';

/** In languages without a pack. */
const SHORT_WORDS = 2;
/** Of a name in languages without spaces, where more is a sentence. */
const MAX_NAME_CHARACTERS = 4;

/** Whether the customer only says goodbye: "Thank you, bye", with a name at most. @param language BCP 47 */
export function isFarewell(text: string, language: string): boolean {
  if (endsInQuestion(text, language)) return false;
  if (isBackchannel(text, language)) return true;
  const pack = findPack(language);
  if (!pack) return countWords(text, language) <= SHORT_WORDS;
  const { parting, wishes = '', others } = pack.farewell;
  const known = toWords(parting, wishes, others);
  const words = splitWords(text, language, known);
  const [unknown, ...more] = words.filter((word) => !known.has(word));
  const isName = unknown !== undefined && more.length === 0 && mayBeName(unknown, text, language);
  if (unknown !== undefined && !isName) return false;
  const farewell = isName ? toWords(parting) : toWords(parting, wishes);
  return words.some((word) => farewell.has(word));
}

/** A name has a capital letter, also where no sentence begins; some scripts have none. */
function mayBeName(word: string, text: string, language: string): boolean {
  if (/^(?:zh|ja)/.test(language)) return word.length <= MAX_NAME_CHARACTERS;
  const first = word.charAt(0);
  // In Turkish "i" has the capital "İ"; Greek would lose its accents.
  const capitals = [first.toUpperCase(), first.toLocaleUpperCase(language)];
  return capitals.some((capital) => capital === first || text.indexOf(capital + word.slice(1)) > 0);
}
