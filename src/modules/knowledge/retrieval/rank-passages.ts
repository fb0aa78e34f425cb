import type { Postings } from './postings.js';

export interface ScoredPlace {
  place: number;
  score: number;
}

interface WeighedPostings {
  postings: Postings;
  /** How much the word counts. */
  weight: number;
}

/**
 * The score of a chunk is BM25 of the chunk plus BM25 of its section: the sum of rarity × (impact in the chunk) over the
 * words of the chunk, and of rarity × (impact in the section) over the words of the section. The best chunk of each
 * section comes before the others of any: what is asked may stand in the page of a second-best one.
 *
 * @param total chunks of the base
 * @param only places that may be found; null: all
 * @returns at most `limit`, the best first
 */
export function rankPassages(
  words: readonly WeighedPostings[],
  total: number,
  limit: number,
  only: ReadonlySet<number> | null,
): ScoredPlace[] {
  const { places, sectionOf, scoreOf } = addScores(words, total);
  const eligible = only ? places.filter((place) => only.has(place)) : places;
  /** By section. */
  const bestOf = new Map<number, number>();
  for (const place of eligible) {
    const best = bestOf.get(sectionOf[place]!);
    if (best === undefined || scoreOf(place) > scoreOf(best)) bestOf.set(sectionOf[place]!, place);
  }
  const firsts = new Best(limit);
  const others = new Best(limit);
  for (const place of eligible) {
    const isFirst = bestOf.get(sectionOf[place]!) === place;
    (isFirst ? firsts : others).add(place, scoreOf(place));
  }
  return [...firsts.items, ...others.items.slice(0, limit - firsts.items.length)].sort(byScore);
}

/** @returns the places that have a word, and of each place its section (a place, too) and its score */
function addScores(words: readonly WeighedPostings[], total: number) {
  const places: number[] = [];
  const sectionOf = new Int32Array(total);
  const scores = new Float32Array(total);
  const sectionScores = new Float32Array(total);
  for (const { postings, weight } of words) {
    let last = -1;
    for (const [index, place] of postings.places.entries()) {
      const section = postings.sections[index]!;
      if (scores[place] === 0) {
        places.push(place);
        sectionOf[place] = section;
      }
      scores[place]! += weight * postings.impacts[index]!;
      // Chunks of a section stand in a row.
      if (section !== last) sectionScores[section]! += weight * postings.sectionImpacts[index]!;
      last = section;
    }
  }
  return {
    places,
    sectionOf,
    scoreOf: (place: number) => scores[place]! + sectionScores[sectionOf[place]!]!,
  };
}

/** Equal scores in the order of the base. */
const byScore = (one: ScoredPlace, other: ScoredPlace): number =>
  other.score - one.score || one.place - other.place;

/** The best of many, in order. */
class Best {
  readonly items: ScoredPlace[] = [];

  constructor(private readonly limit: number) {}

  add(place: number, score: number): void {
    const item = { place, score };
    const last = this.items.at(-1);
    if (this.items.length === this.limit && last && byScore(item, last) > 0) return;
    let at = this.items.length;
    while (at > 0 && byScore(item, this.items[at - 1]!) < 0) at--;
    this.items.splice(at, 0, item);
    if (this.items.length > this.limit) this.items.pop();
  }
}
