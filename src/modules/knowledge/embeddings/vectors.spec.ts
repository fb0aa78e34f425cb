import { describe, expect, it } from '@jest/globals';
import { emptyVectors, fuse, nearest, setVector, toBytes } from './vectors.js';

const DIMENSIONS = 40;
/** The same numbers in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 1_073_741_824 - 1;
  };
}
const aVector = (next: () => number) => Float32Array.from({ length: DIMENSIONS }, next);
const cosine = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0) /
  (Math.hypot(...one) * Math.hypot(...other));

function aBase(vectors: readonly Float32Array[], sections?: number[]) {
  const base = emptyVectors(vectors.length, DIMENSIONS);
  for (const [place, vector] of vectors.entries()) setVector(base, place, toBytes(vector));
  return { ...base, ...(sections && { sections: Int32Array.from(sections) }) };
}

describe('nearest', () => {
  it('finds the vectors with the largest cosines', () => {
    const next = numbers(7);
    const vectors = Array.from({ length: 400 }, () => aVector(next));
    const question = aVector(next);
    const exact = vectors
      .map((vector, place) => ({ place, score: cosine(vector, question) }))
      .sort((one, other) => other.score - one.score)
      .slice(0, 5);
    const found = nearest(aBase(vectors), question, 5);
    expect(found.map(({ place }) => place)).toEqual(exact.map(({ place }) => place));
    expect(found[0]?.score).toBeCloseTo(exact[0]?.score ?? 0, 2);
  });

  it('finds the same vector among thousands', () => {
    const next = numbers(11);
    const vectors = Array.from({ length: 3_000 }, () => aVector(next));
    const [first] = nearest(aBase(vectors), vectors[2_000] ?? aVector(next), 1);
    expect(first?.place).toBe(2_000);
    expect(first?.score).toBeCloseTo(1, 5);
  });

  it('takes the best of each section before a second one, and none without a vector', () => {
    const [same, other] = [new Float32Array(DIMENSIONS).fill(1), aVector(numbers(3))];
    const base = aBase([same, same, other], [0, 0, 2]);
    expect(nearest(base, same, 2).map(({ place }) => place)).toEqual([0, 2]);
    const missing = { ...base, lengths: Float32Array.from([0, 1, 1]) };
    expect(nearest(missing, same, 3).map(({ place }) => place)).toEqual([1, 2]);
  });

  it('finds nothing for a vector of zeros', () => {
    expect(nearest(aBase([new Float32Array(DIMENSIONS).fill(1)]), new Float32Array(DIMENSIONS), 1)).toEqual(
      [],
    );
  });
});

describe('fuse', () => {
  const list = (...scores: [place: number, score: number][]) =>
    scores.map(([place, score]) => ({ place, score }));
  const places = (...args: Parameters<typeof fuse>) => fuse(...args).map(({ place }) => place);
  const WORDED = list([1, 9], [2, 5], [3, 4], [4, 3]);

  it('puts what both lists have before what one of them has to the same degree', () => {
    expect(places(WORDED, list([3, 0.9], [7, 0.5]), 3, 0.4)).toEqual([1, 3, 2]);
  });

  it('keeps what full text finds best before what is only similar', () => {
    expect(places(WORDED, list([7, 1], [8, 0.9]), 5, 0.4)).toEqual([1, 2, 3, 7, 8]);
  });

  it('puts what is similar before what full text finds last', () => {
    expect(places(WORDED, list([7, 0.8]), 4, 0.4)).toEqual([1, 2, 7, 3]);
  });

  it('adds little for what is hardly similar', () => {
    expect(places(WORDED, list([3, 0.42]), 4, 0.4)).toEqual([1, 2, 3, 4]);
  });

  it('keeps the order of one list when the other is empty', () => {
    expect(places(WORDED, [], 2, 0.4)).toEqual([1, 2]);
    expect(places([], list([5, 0.9], [1, 0.5]), 2, 0.4)).toEqual([5, 1]);
  });

  it('gives scores from 0 to 1, also to equal ones', () => {
    expect(fuse(list([1, 2], [2, 2]), list([1, 1]), 2, 1)).toEqual(list([1, 1], [2, 0.7]));
  });
});
