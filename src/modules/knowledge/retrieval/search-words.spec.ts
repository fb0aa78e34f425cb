import { describe, expect, it } from '@jest/globals';
import { comparedWords, editDistance, similarWords, weighWords } from './search-words.js';

const aWord = (lexeme: string, chunks: number) => ({ lexeme, chunks });
const NONE = new Map<string, never>();

describe('weighWords', () => {
  it('orders equally rare words by their letters', () => {
    const words = weighWords([aWord('saturday', 1), aWord('close', 1)], NONE, 10);
    expect(words.map(({ lexeme }) => lexeme)).toEqual(['close', 'saturday']);
  });

  it('weighs a rare word more than a common one, and puts it first', () => {
    const words = weighWords([aWord('common', 900), aWord('rare', 1)], NONE, 1_000);
    expect(words.map(({ lexeme }) => lexeme)).toEqual(['rare', 'common']);
    expect(words[1]?.weight).toBeGreaterThan(0);
  });

  it('takes no other spelling of a word that the base has, and each word once', () => {
    const spellings = new Map([['bergg', [aWord('berg', 2), aWord('bergge', 1)]]]);
    const found = weighWords([aWord('berg', 2), aWord('bergg', 0)], spellings, 100);
    expect(found.map(({ lexeme }) => lexeme)).toEqual(['berg', 'bergge']);
    expect(weighWords([aWord('berg', 2)], spellings, 100)).toEqual(found.slice(0, 1));
  });

  it('weighs another spelling less than the word itself', () => {
    const [own] = weighWords([aWord('berg', 2)], NONE, 100);
    const [other] = weighWords([aWord('bergg', 0)], new Map([['bergg', [aWord('berg', 2)]]]), 100);
    expect(other?.weight).toBeLessThan(own?.weight ?? 0);
  });
});

describe('similarWords', () => {
  it.each([
    ['a letter is missing', 'mller', 'muller', true],
    ['neighbours are exchanged', 'kreuzebrg', 'kreuzberg', true],
    ['two letters of a long word differ', 'hoffmanstal', 'hofmannstal', true],
    ['a letter of a short word differs', 'berg', 'burg', false],
    ['it is the beginning of the word', 'kreuz', 'kreuzberg', true],
    ['the ends differ', 'kreuzung', 'kreuzberg', false],
  ])('finds the spelling when %s: %s', (_, word, lexeme, isFound) => {
    const words = [aWord(lexeme, 1)];
    expect(similarWords(word, words)).toEqual(isFound ? words : []);
  });
});

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['abc', 'acb', 1],
    ['abc', 'ab', 1],
    ['abcd', 'badc', 2],
    ['abc', 'xyz', 3],
    ['abc', 'abcdef', 3],
  ])('%s, %s: %d, at most one past the limit of 2', (a, b, distance) => {
    expect(editDistance(a, b, 2)).toBe(Math.min(3, distance));
  });
});

describe('comparedWords', () => {
  const compared = (...chunks: number[]) =>
    comparedWords(chunks.map((count) => ({ lexeme: String(count), chunks: count }))).map(
      ({ chunks: count }) => count,
    );

  it('takes all words whose chunks are not too many together', () => {
    expect(compared(10, 200, 150_000)).toEqual([10, 200, 150_000]);
  });

  it('leaves out a word that would be too many, and goes on', () => {
    expect(compared(10, 150_000, 160_000, 400)).toEqual([10, 150_000, 400]);
  });

  it('takes one at least', () => {
    expect(compared(800_000, 900_000)).toEqual([800_000]);
  });
});
