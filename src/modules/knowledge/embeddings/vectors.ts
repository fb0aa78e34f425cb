import type { ScoredPlace } from '../retrieval/rank-passages.js';

/** Vectors whose cosines are computed: those whose signs are most like the question's. */
const COMPARED = 500;

/** The vectors of a base that are searched. */
export interface ActiveIndex {
  id: number;
  model: string;
  wantedDimensions: number;
  dimensions: number;
}

/** All vectors of a base, by place. */
export interface BaseVectors {
  dimensions: number;
  /** Of all places, one after another. */
  values: Int8Array;
  /** A bit for each number: set where it is positive. */
  signs: Uint32Array;
  /** 0: the place has no vector. */
  lengths: Float32Array;
  /** The place where the section of each chunk begins. */
  sections: Int32Array;
  bytes: number;
}

/** Only the direction of a vector counts: its largest number becomes 127. */
export function toBytes(vector: Float32Array): Int8Array {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  return Int8Array.from(vector, (value) => (largest === 0 ? 0 : Math.round((127 * value) / largest)));
}

export function emptyVectors(total: number, dimensions: number): BaseVectors {
  const words = Math.ceil(dimensions / 32);
  return {
    dimensions,
    values: new Int8Array(total * dimensions),
    signs: new Uint32Array(total * words),
    lengths: new Float32Array(total),
    sections: Int32Array.from({ length: total }, (_, place) => place),
    bytes: total * (dimensions + words * 4 + 8),
  };
}

export function setVector(vectors: BaseVectors, place: number, bytes: Int8Array): void {
  const { dimensions, values, signs, lengths } = vectors;
  values.set(bytes, place * dimensions);
  signs.set(signsOf(bytes), place * Math.ceil(dimensions / 32));
  lengths[place] = Math.sqrt(bytes.reduce((sum, value) => sum + value * value, 0));
}

/**
 * The chunks whose vectors have the largest cosines with the question's, the best of each section before second ones.
 * The signs of all vectors are compared; of the 500 with the most equal ones, the numbers.
 */
export function nearest(vectors: BaseVectors, question: Float32Array, limit: number): ScoredPlace[] {
  const bytes = toBytes(question);
  const length = Math.sqrt(bytes.reduce((sum, value) => sum + value * value, 0));
  if (length === 0) return [];
  const { dimensions, values, lengths, sections } = vectors;
  const scored = likeliest(vectors, signsOf(bytes)).map((place) => {
    let product = 0;
    const from = place * dimensions;
    for (let index = 0; index < dimensions; index++) product += bytes[index]! * values[from + index]!;
    return { place, score: product / (length * lengths[place]!) };
  });
  scored.sort((one, other) => other.score - one.score || one.place - other.place);
  const seen = new Set<number>();
  const isFirst = ({ place }: ScoredPlace): boolean => {
    const section = sections[place]!;
    return !seen.has(section) && seen.add(section) !== undefined;
  };
  const firsts = scored.filter(isFirst);
  if (firsts.length >= limit) return firsts.slice(0, limit);
  const taken = new Set(firsts);
  return [...firsts, ...scored.filter((one) => !taken.has(one))].slice(0, limit);
}

/** At least `COMPARED` places where there are so many. */
function likeliest({ dimensions, signs, lengths }: BaseVectors, question: Uint32Array): number[] {
  const words = Math.ceil(dimensions / 32);
  const distances = new Int16Array(lengths.length);
  const counts = new Int32Array(dimensions + 1);
  for (let place = 0, at = 0; place < lengths.length; place++) {
    let distance = 0;
    for (let word = 0; word < words; word++) distance += bitsOf(signs[at++]! ^ question[word]!);
    distances[place] = lengths[place] === 0 ? -1 : distance;
    if (lengths[place] !== 0) counts[distance]!++;
  }
  let most = 0;
  for (let found = 0; most < dimensions; most++) if ((found += counts[most]!) >= COMPARED) break;
  const places: number[] = [];
  for (let place = 0; place < distances.length; place++)
    if (distances[place]! >= 0 && distances[place]! <= most) places.push(place);
  return places;
}

function signsOf(bytes: Int8Array): Uint32Array {
  const signs = new Uint32Array(Math.ceil(bytes.length / 32));
  for (let index = 0; index < bytes.length; index++)
    if (bytes[index]! > 0) signs[index >> 5]! |= 1 << (index & 31);
  return signs;
}

/** How many bits are set. */
function bitsOf(word: number): number {
  let pairs = word - ((word >>> 1) & 0x55555555);
  pairs = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((pairs + (pairs >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Reciprocal ranks: a passage that both lists have comes before one that only one of them has. */
const RANK_OFFSET = 60;

/** @returns the places of both lists, the best first, with the sum of 1 / (60 + rank) */
export function fuse(
  one: readonly ScoredPlace[],
  other: readonly ScoredPlace[],
  limit: number,
): ScoredPlace[] {
  const scores = new Map<number, number>();
  for (const list of [one, other])
    for (const [rank, { place }] of list.entries())
      scores.set(place, (scores.get(place) ?? 0) + 1 / (RANK_OFFSET + rank + 1));
  return [...scores]
    .map(([place, score]) => ({ place, score }))
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, limit);
}
