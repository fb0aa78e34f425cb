import { describe, expect, it } from '@jest/globals';
import { Places, readPostings, type Postings } from './postings.js';
import { rankPassages } from './rank-passages.js';

/** Seq, first seq of its section, impact in the chunk and in the section. */
type Row = [number, number, number, number];

const stored = (...rows: Row[]): Buffer =>
  Buffer.concat(
    rows.map(([seq, section, impact, sectionImpact]) => {
      const bytes = Buffer.alloc(10);
      bytes.writeInt32BE(seq, 0);
      bytes.writeInt16BE(seq - section, 4);
      bytes.writeInt16BE(impact * 10_000, 6);
      bytes.writeInt16BE(sectionImpact * 10_000, 8);
      return bytes;
    }),
  );
const places = new Places([
  { id: 7, chunks: 4 },
  { id: 9, chunks: 3 },
]);
const postingsOf = (documents: Record<number, Row[]>): Postings =>
  readPostings(
    Object.entries(documents).map(([id, rows]) => ({ documentId: Number(id), postings: stored(...rows) })),
    places,
  );
const rank = (words: Postings[], limit = 10, only: number[] | null = null) =>
  rankPassages(
    words.map((postings) => ({ postings, weight: 2 })),
    places.total,
    limit,
    only && new Set(only),
  ).map(({ place, score }) => [place, Math.round(score * 100) / 100]);

describe('rankPassages', () => {
  it('adds what a word counts in the passage and in its page', () => {
    expect(rank([postingsOf({ 7: [[2, 1, 1, 0.5]] })])).toEqual([[1, 3]]);
  });

  it('counts the other words of the page that a passage does not have', () => {
    const one = postingsOf({ 7: [[1, 1, 1, 0.5]], 9: [[1, 1, 1, 0.5]] });
    const other = postingsOf({ 7: [[2, 1, 0.1, 0.4]] });
    expect(rank([one, other])).toEqual([
      [0, 3.8],
      [4, 3],
      [1, 2],
    ]);
  });

  it('counts a word of a page once, in however many of its passages it stands', () => {
    const word = postingsOf({
      7: [
        [1, 1, 1, 0.5],
        [2, 1, 1, 0.5],
      ],
    });
    expect(rank([word])).toEqual([
      [0, 3],
      [1, 3],
    ]);
  });

  const twoPages = () =>
    postingsOf({
      7: [
        [1, 1, 2, 1],
        [2, 1, 1.5, 1],
      ],
      9: [[1, 1, 0.5, 0.5]],
    });

  it('takes the best passage of each page before a second one of any', () => {
    expect(rank([twoPages()], 2)).toEqual([
      [0, 6],
      [4, 2],
    ]);
  });

  it('fills the rest with second passages, the best first', () => {
    expect(rank([twoPages()], 3)).toEqual([
      [0, 6],
      [1, 5],
      [4, 2],
    ]);
  });

  it('finds no others than those that are asked for', () => {
    expect(rank([twoPages()], 2, [1, 4, 6])).toEqual([
      [1, 5],
      [4, 2],
    ]);
  });

  it('has nothing left of the search before', () => {
    rank([twoPages()]);
    expect(rank([postingsOf({ 7: [[2, 1, 1, 0.5]] })])).toEqual([[1, 3]]);
  });
});

describe('readPostings', () => {
  it('leaves out what was added to a document since', () => {
    const word = postingsOf({
      8: [[1, 1, 1, 1]],
      9: [
        [3, 1, 1, 1],
        [4, 1, 1, 1],
      ],
    });
    expect([...word.places]).toEqual([6]);
    expect([...word.sections]).toEqual([4]);
  });

  it('finds the document of a place', () => {
    expect([0, 3, 4, 6].map((place) => places.chunkAt(place))).toEqual([
      { documentId: 7, seq: 1 },
      { documentId: 7, seq: 4 },
      { documentId: 9, seq: 1 },
      { documentId: 9, seq: 3 },
    ]);
  });
});
