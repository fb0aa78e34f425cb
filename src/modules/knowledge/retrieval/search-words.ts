/** A word of a query, as the text search configuration reduces it, with the chunks of the base that have it. */
export interface QueryWord {
  lexeme: string;
  chunks: number;
}

/** A word that is searched; `weight` grows with its rarity. */
export interface WeightedWord {
  lexeme: string;
  weight: number;
}

/** Words of a query that count: the rarest of them. */
const MAX_WORDS = 24;
/** A word that the base does not have is replaced by so many similar ones, which weigh less. */
const MAX_SPELLINGS = 3;
const SPELLING_WEIGHT = 0.6;
/** Chunks whose rank is computed, as expected: it bounds the time of a search. */
export const MAX_CANDIDATES = 400;
/** Common words of which two must stand in a chunk, or all where that leaves too many chunks. */
const MAX_PAIRED = 4;
const MAX_REQUIRED = 3;
const MIN_PREFIX = 3;
/** Distance of a word from its beginning: short words are replaced by longer ones only. */
const BEGINNING = 0.5;

/** The inverse document frequency as in BM25. */
export const rarity = (chunks: number, total: number): number =>
  Math.log(1 + (Math.max(total, chunks) - chunks + 0.5) / (chunks + 0.5));

/** @param spellings words of the base that are similar to one that it does not have */
export function weighWords(
  words: readonly QueryWord[],
  spellings: readonly (QueryWord & { word: string })[],
  total: number,
): WeightedWord[] {
  const known = words.filter(({ chunks }) => chunks > 0);
  const replaced = words
    .filter(({ chunks }) => chunks === 0)
    .flatMap(({ lexeme }) =>
      similarWords(
        lexeme,
        spellings.filter(({ word }) => word === lexeme),
      ),
    );
  return [
    ...known.map(({ lexeme, chunks }) => ({ lexeme, weight: rarity(chunks, total) })),
    ...replaced.map(({ lexeme, chunks }) => ({ lexeme, weight: SPELLING_WEIGHT * rarity(chunks, total) })),
  ]
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_WORDS);
}

function similarWords(word: string, candidates: readonly QueryWord[]): QueryWord[] {
  const limit = word.length >= 8 ? 2 : word.length >= 5 ? 1 : BEGINNING;
  return candidates
    .map((candidate) => ({ candidate, distance: distanceOf(word, candidate.lexeme, limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || b.candidate.chunks - a.candidate.chunks)
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

/** A lexeme as it stands in a `tsquery`. */
export const quoteLexeme = (lexeme: string): string =>
  `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/**
 * The `tsquery` of the chunks whose rank is computed: those with a rare word, else with two common ones, else with the
 * three rarest, as far as they are not too many.
 * @param words at least one, the rarest first
 */
export function candidateQuery(
  marker: string,
  words: readonly WeightedWord[],
  chunksOf: (lexeme: string) => number,
  total: number,
): string {
  let room = MAX_CANDIDATES;
  const takes = (chunks: number): boolean => {
    if (chunks > room) return false;
    room -= chunks;
    return true;
  };
  const all = words.map(({ lexeme }) => ({ quoted: quoteLexeme(lexeme), chunks: chunksOf(lexeme) }));
  const rare = all.filter(({ chunks }) => takes(chunks));
  const common = all.filter((word) => !rare.includes(word)).slice(0, MAX_PAIRED);
  const pairs = common
    .flatMap((one, index) => common.slice(index + 1).map((other) => [one, other] as const))
    // As if words were independent of each other.
    .filter(([one, other]) => takes((one.chunks * other.chunks) / Math.max(1, total)));
  const parts = [
    ...rare.map(({ quoted }) => quoted),
    ...pairs.map(([one, other]) => `(${one.quoted} & ${other.quoted})`),
  ];
  const fallback = common.slice(0, MAX_REQUIRED).map(({ quoted }) => quoted);
  return `${quoteLexeme(marker)} & (${parts.length > 0 ? parts.join(' | ') : fallback.join(' & ')})`;
}
