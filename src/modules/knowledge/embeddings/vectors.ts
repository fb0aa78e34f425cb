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

/** How much vectors count beside full text. Those of a weak model lead away from what has the words. */
const VECTOR_WEIGHT = 0.3;

/**
 * A convex combination of both scores, each from 0 to 1 (Bruch et al., An Analysis of Fusion Functions for Hybrid
 * Retrieval, 2023): of full text relative to the best one, of vectors as the model gives them.
 *
 * @param worded by full text, the best first; 0 is the score of the last one, or 0 when there are fewer than `limit`
 * @param similar by vectors; 0 is the least similarity
 * @returns at most `limit` places of both lists, the best first
 */
export function fuse(
  worded: readonly ScoredPlace[],
  similar: readonly ScoredPlace[],
  limit: number,
  minSimilarity: number,
): ScoredPlace[] {
  const best = worded[0]?.score ?? 1;
  const least = worded[limit - 1]?.score ?? 0;
  const scores = new Map<number, number>();
  for (const { place, score } of worded)
    scores.set(place, (1 - VECTOR_WEIGHT) * (best > least ? (score - least) / (best - least) : 1));
  for (const { place, score } of similar) {
    const similarity = minSimilarity < 1 ? (score - minSimilarity) / (1 - minSimilarity) : 1;
    scores.set(place, (scores.get(place) ?? 0) + VECTOR_WEIGHT * similarity);
  }
  return [...scores]
    .map(([place, score]) => ({ place, score }))
    .sort((one, other) => other.score - one.score || one.place - other.place)
    .slice(0, limit);
}
