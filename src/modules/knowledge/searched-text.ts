import { toStorable } from '#src/common/persistence/storable.js';

const APOSTROPHES = /[’‘ʼ]/g;
/** PostgreSQL takes them for letters where its locale is C, as that of the private one. */
const MARKS = /(?!\p{ASCII})[\p{P}\p{S}\p{Z}]/gu;
/** Written without spaces, or with endings that no configuration of PostgreSQL knows. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu;

/**
 * A text or a question as PostgreSQL finds the words in it: with the straight apostrophe, composed letters and no other
 * marks than those of ASCII. It takes a sentence of Chinese or Japanese for one word: of those each two letters in a row
 * become a word, as in Lucene's CJKAnalyzer.
 */
export const searchedText = (text: string): string =>
  toStorable(text)
    .normalize('NFKC')
    .replace(APOSTROPHES, "'")
    .replace(MARKS, ' ')
    .replace(UNSPACED, (run) => ` ${pairsOf(Array.from(run)).join(' ')} `);

const pairsOf = (letters: readonly string[]): string[] =>
  letters.length < 2 ? [...letters] : letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
