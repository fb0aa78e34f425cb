import { wordStart } from '../word-positions.js';

const lettersOf = (text: string): RegExpExecArray[] => [...text.matchAll(/[\p{L}\p{M}\p{N}]/gu)];

/**
 * The words of a transcript after those that were reported before. The recogniser may have changed case and
 * punctuation since. From a word that it has changed, or written in digits, all words are new: a repeated word is better
 * than a missing one.
 */
export function unreportedWords(transcript: string, reported: string): string {
  const letters = lettersOf(transcript);
  const known = lettersOf(reported);
  const changed = known.find(({ 0: letter }, at) => letter.toLowerCase() !== letters[at]?.[0].toLowerCase());
  // Of a changed word no letter is known: `can't` may have become `can`.
  const end = changed ? wordStart(reported, changed.index) : reported.length;
  const first = letters[known.filter(({ index }) => index < end).length];
  return first ? transcript.slice(wordStart(transcript, first.index)).trim() : '';
}
