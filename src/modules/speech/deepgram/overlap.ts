import { wordEnds } from '../word-positions.js';

/** By so many words may an estimate be wrong: of about 2 s of speech. */
const MAX_ERROR = 5;

const lettersOf = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, '');

/** The words of a transcript, each with the blank before it and the punctuation that follows it. */
export function wordsOf(transcript: string): string[] {
  const ends = wordEnds(transcript);
  return ends.map((end, at) => transcript.slice(ends[at - 1] ?? 0, end));
}

/** Whether a word is the rest of another one, perhaps only its punctuation, or the same. */
export const endsWith = (word: string, rest: string): boolean => lettersOf(word).endsWith(lettersOf(rest));

/**
 * Number of words of a transcript before another one that begins in the middle of it, perhaps within a word.
 *
 * @param estimate the same by the time of the words; also the result where no words are alike
 */
export function wordsBefore(earlier: readonly string[], later: readonly string[], estimate: number): number {
  const [known, begun] = [earlier.map(lettersOf), later.map(lettersOf)];
  let best = { count: estimate, score: 0 };
  for (const count of countsNear(estimate, earlier.length)) {
    const score = likenessAt(known, begun, count);
    if (score > best.score) best = { count, score };
  }
  return best.count;
}

/** The nearest first; the higher one of two, because a repeated word is better than a missing one. */
const countsNear = (estimate: number, most: number): number[] =>
  Array.from(
    { length: 2 * MAX_ERROR + 1 },
    (_, at) => estimate + (at % 2 === 0 ? -at / 2 : (at + 1) / 2),
  ).filter((count) => count >= 0 && count < most);

/** Words that are the same, without those that are not. The first may be a part, and the last ones may be wrong. */
function likenessAt(known: readonly string[], begun: readonly string[], count: number): number {
  const common = Math.min(known.length - count, begun.length);
  let score = 0;
  for (let at = 0; at < common; at += 1) {
    const [one = '', other = ''] = [known[count + at], begun[at]];
    const isSame = other !== '' && (at === 0 ? one.endsWith(other) : one === other);
    const isUncertain = at === 0 || at === begun.length - 1 || count + at === known.length - 1;
    if (isSame) score += 1;
    else if (!isUncertain) score -= 1;
  }
  return score;
}
