import { describe, expect, it } from '@jest/globals';
import { comparedWords, editDistance, weighWords } from './search-words.js';

const aWord = (lexeme: string, chunks: number) => ({ lexeme, chunks });
const spelling = (word: string, lexeme: string, chunks = 1) => ({ word, ...aWord(lexeme, chunks) });

describe('weighWords', () => {
  it('orders equally rare words by their letters', () => {
    const words = weighWords([aWord('saturday', 1), aWord('close', 1)], [], 10);
    expect(words.map(({ lexeme }) => lexeme)).toEqual(['close', 'saturday']);
  });

  it('weighs a rare word more than a common one, and puts it first', () => {
    const words = weighWords([aWord('common', 900), aWord('rare', 1)], [], 1_000);
    expect(words.map(({ lexeme }) => lexeme)).toEqual(['rare', 'common']);
    expect(words[1]?.weight).toBeGreaterThan(0);
  });

  it.each([
    ['a letter is missing', 'mller', 'muller', true],
    ['neighbours are exchanged', 'kreuzebrg', 'kreuzberg', true],
    ['two letters of a long word differ', 'hoffmanstal', 'hofmannstal', true],
    ['a letter of a short word differs', 'berg', 'burg', false],
    ['it is the beginning of the word', 'kreuz', 'kreuzberg', true],
    ['the ends differ', 'kreuzung', 'kreuzberg', false],
  ])('finds the spelling when %s: %s', (_, word, lexeme, isFound) => {
    const found = weighWords([aWord(word, 0)], [spelling(word, lexeme)], 100);
    expect(found.map((one) => one.lexeme)).toEqual(isFound ? [lexeme] : []);
  });

  it('takes no other spelling of a word that the base has', () => {
    const found = weighWords([aWord('berg', 2)], [spelling('other', 'berga')], 100);
    expect(found.map(({ lexeme }) => lexeme)).toEqual(['berg']);
  });

  it('weighs another spelling less than the word itself', () => {
    const [own] = weighWords([aWord('berg', 2)], [], 100);
    const [other] = weighWords([aWord('bergg', 0)], [spelling('bergg', 'berg', 2)], 100);
    expect(other?.weight).toBeLessThan(own?.weight ?? 0);
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
