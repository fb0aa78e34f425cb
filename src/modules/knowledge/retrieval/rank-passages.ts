import type { Postings } from './postings.js';

export interface ScoredPlace {
  place: number;
  score: number;
}

/** Of all bases: they are used within one turn of the event loop, and are zero between. */
let scores = new Float32Array(0);
let sectionScores = new Float32Array(0);
/** Of a chunk: the place of its section. Of the place of a section: its best chunk. */
let sectionOf = new Int32Array(0);
let bestOf = new Int32Array(0);

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
  words: readonly { postings: Postings; weight: number }[],
  total: number,
  limit: number,
  only: ReadonlySet<number> | null,
): ScoredPlace[] {
  reserve(total);
  const touched = addScores(words);
  const firsts = new Best(limit);
  const others = new Best(limit);
  const scoreOf = (place: number): number => scores[place]! + sectionScores[sectionOf[place]!]!;
  const eligible = only ? touched.filter((place) => only.has(place)) : touched;
  for (const place of eligible) {
    const section = sectionOf[place]!;
    const best = bestOf[section]! - 1;
    if (best < 0 || scoreOf(place) > scoreOf(best)) bestOf[section] = place + 1;
  }
  for (const place of eligible) {
    const isFirst = bestOf[sectionOf[place]!] === place + 1;
    (isFirst ? firsts : others).add(place, scoreOf(place));
  }
  const found = [...firsts.items, ...others.items.slice(0, limit - firsts.items.length)];
  for (const place of touched) {
    const section = sectionOf[place]!;
    scores[place] = sectionScores[section] = bestOf[section] = sectionOf[place] = 0;
  }
  return found.sort(byScore);
}

function addScores(words: readonly { postings: Postings; weight: number }[]): number[] {
  const touched: number[] = [];
  for (const { postings, weight } of words) {
    const { places, sections, impacts, sectionImpacts } = postings;
    let last = -1;
    for (let index = 0; index < places.length; index++) {
      const place = places[index]!;
      const section = sections[index]!;
      if (scores[place] === 0) {
        touched.push(place);
        sectionOf[place] = section;
      }
      scores[place]! += weight * impacts[index]!;
      // Chunks of a section stand in a row.
      if (section !== last) sectionScores[section]! += weight * sectionImpacts[index]!;
      last = section;
    }
  }
  return touched;
}

function reserve(total: number): void {
  if (scores.length >= total) return;
  scores = new Float32Array(total);
  sectionScores = new Float32Array(total);
  sectionOf = new Int32Array(total);
  bestOf = new Int32Array(total);
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
