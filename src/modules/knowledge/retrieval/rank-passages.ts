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
  const scores = total <= KEPT_PLACES ? KEPT : new Scores(total);
  scores.add(words, total);
  const { places, sectionOf, bestOf } = scores;
  let { count } = scores;
  if (only) count = keepOnly(places, count, only);
  for (let index = 0; index < count; index++) {
    const place = places[index]!;
    const section = sectionOf[place]!;
    const best = bestOf[section]! - 1;
    if (best < 0 || scores.of(place) > scores.of(best)) bestOf[section] = place + 1;
  }
  const firsts = new Best(limit);
  const others = new Best(limit);
  for (let index = 0; index < count; index++) {
    const place = places[index]!;
    const isFirst = bestOf[sectionOf[place]!] === place + 1;
    (isFirst ? firsts : others).add(place, scores.of(place));
  }
  return [...firsts.items, ...others.items.slice(0, limit - firsts.items.length)].sort(byScore);
}

/** Moves those that may be found to the front. @returns how many they are */
function keepOnly(places: Int32Array, count: number, only: ReadonlySet<number>): number {
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const place = places[index]!;
    if (only.has(place)) places[kept++] = place;
  }
  return kept;
}

/** Scores of the passages of a base, by place. */
class Scores {
  /** Those that have a word, `count` of them. */
  readonly places: Int32Array;
  count = 0;
  /** The place where the section of each begins. */
  readonly sectionOf: Int32Array;
  /** The best place of each section, counted from 1; 0: none. */
  readonly bestOf: Int32Array;
  private readonly own: Float32Array;
  private readonly ofSections: Float32Array;

  constructor(size: number) {
    this.places = new Int32Array(size);
    this.sectionOf = new Int32Array(size);
    this.bestOf = new Int32Array(size);
    this.own = new Float32Array(size);
    this.ofSections = new Float32Array(size);
  }

  /** Those of the search before are gone. */
  add(words: readonly WeighedPostings[], total: number): void {
    const { places, sectionOf, own, ofSections } = this;
    this.bestOf.fill(0, 0, total);
    own.fill(0, 0, total);
    ofSections.fill(0, 0, total);
    let count = 0;
    for (const { postings, weight } of words) {
      const { sections, impacts, sectionImpacts } = postings;
      let last = -1;
      // Not by an iterator: a common word has ten thousand places.
      for (let index = 0; index < postings.places.length; index++) {
        const place = postings.places[index]!;
        const section = sections[index]!;
        if (own[place] === 0) {
          places[count++] = place;
          sectionOf[place] = section;
        }
        own[place]! += weight * impacts[index]!;
        // Chunks of a section stand in a row.
        if (section !== last) ofSections[section]! += weight * sectionImpacts[index]!;
        last = section;
      }
    }
    this.count = count;
  }

  of(place: number): number {
    return this.own[place]! + this.ofSections[this.sectionOf[place]!]!;
  }
}

/** Larger bases get arrays of their own for each search. */
const KEPT_PLACES = 100_000;
/** Of one search at a time: new arrays would take longer than the search. */
const KEPT = new Scores(KEPT_PLACES);

/** Equal scores in the order of the base. */
const byScore = (one: ScoredPlace, other: ScoredPlace): number =>
  other.score - one.score || one.place - other.place;

/** The best of many, in order. */
class Best {
  readonly items: ScoredPlace[] = [];

  constructor(private readonly limit: number) {}

  add(place: number, score: number): void {
    const last = this.items[this.limit - 1];
    if (last && (score < last.score || (score === last.score && place > last.place))) return;
    const item = { place, score };
    let at = this.items.length;
    while (at > 0 && byScore(item, this.items[at - 1]!) < 0) at--;
    this.items.splice(at, 0, item);
    if (this.items.length > this.limit) this.items.pop();
  }
}
