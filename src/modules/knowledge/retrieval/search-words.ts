/** A word of a query, as the text search configuration reduces it. */
export interface QueryWord {
  lexeme: string;
  /** Of the base, that have it. */
  chunks: number;
}

/** A word that is searched; `weight` grows with its rarity. */
export interface WeightedWord extends QueryWord {
  weight: number;
}

/** Words of a query that count: the rarest of them. */
const MAX_WORDS = 24;
/** A word that the base does not have is replaced by so many similar ones, which weigh less. */
const MAX_SPELLINGS = 3;
const SPELLING_WEIGHT = 0.6;
/** Chunks of all words together: it bounds the time of a search. */
const MAX_COMPARED = 200_000;
const MIN_PREFIX = 3;
/** Distance of a word from its beginning: short words are replaced by longer ones only. */
const BEGINNING = 0.5;

/** The inverse document frequency as in BM25. */
export const rarity = (chunks: number, total: number): number =>
  Math.log(1 + (Math.max(total, chunks) - chunks + 0.5) / (chunks + 0.5));

/** @param spellings of words that the base does not have: similar ones that it has */
export function weighWords(
  words: readonly QueryWord[],
  spellings: ReadonlyMap<string, readonly QueryWord[]>,
  total: number,
): WeightedWord[] {
  const weighed = new Map<string, WeightedWord>();
  for (const word of words) {
    if (word.chunks > 0) weighed.set(word.lexeme, { ...word, weight: rarity(word.chunks, total) });
  }
  for (const { lexeme } of words) {
    for (const word of spellings.get(lexeme) ?? [])
      if (!weighed.has(word.lexeme))
        weighed.set(word.lexeme, { ...word, weight: SPELLING_WEIGHT * rarity(word.chunks, total) });
  }
  return [...weighed.values()]
    .sort((a, b) => b.weight - a.weight || compareText(a.lexeme, b.lexeme))
    .slice(0, MAX_WORDS);
}

/** Equal words have the same order in each search. */
const compareText = (a: string, b: string): number => (a < b ? -1 : 1);

/** The candidates that are this word with a slip, or begin with it; the most similar ones. */
export function similarWords(word: string, candidates: readonly QueryWord[]): QueryWord[] {
  const limit = word.length >= 8 ? 2 : word.length >= 5 ? 1 : BEGINNING;
  return candidates
    .map((candidate) => ({ candidate, distance: distanceOf(word, candidate.lexeme, limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort(
      (a, b) =>
        a.distance - b.distance ||
        b.candidate.chunks - a.candidate.chunks ||
        compareText(a.candidate.lexeme, b.candidate.lexeme),
    )
    .slice(0, MAX_SPELLINGS)
    .map(({ candidate }) => candidate);
}

const distanceOf = (word: string, other: string, limit: number): number =>
  word.length >= MIN_PREFIX && other.startsWith(word) ? BEGINNING : editDistance(word, other, limit);

/** Insertions, deletions, replacements and exchanges of neighbours; more than `limit` is `limit + 1`. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const next = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      next.push(cost);
    }
    if (Math.min(...next) > limit) return limit + 1;
    [before, last] = [last, next];
  }
  return last[b.length] ?? 0;
}

/**
 * The words whose chunks are compared: the rarest, as far as they are not too many together, and one at least.
 * @param words the rarest first
 */
export function comparedWords<Word extends QueryWord>(words: readonly Word[]): Word[] {
  let room = MAX_COMPARED;
  return words.filter(({ chunks }, index) => {
    if (index > 0 && chunks > room) return false;
    room -= chunks;
    return true;
  });
}
