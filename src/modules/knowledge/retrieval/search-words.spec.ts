import { describe, expect, it } from '@jest/globals';
import { candidateQuery, editDistance, quoteLexeme, weighWords } from './search-words.js';

const spelling = (word: string, lexeme: string, chunks = 1) => ({ word, lexeme, chunks });

describe('weighWords', () => {
  it('weighs a rare word more than a common one, and puts it first', () => {
    const words = weighWords(
      [
        { lexeme: 'common', chunks: 900 },
        { lexeme: 'rare', chunks: 1 },
      ],
      [],
      1_000,
    );
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
    const found = weighWords([{ lexeme: word, chunks: 0 }], [spelling(word, lexeme)], 100);
    expect(found.map((one) => one.lexeme)).toEqual(isFound ? [lexeme] : []);
  });

  it('takes no other spelling of a word that the base has', () => {
    const found = weighWords([{ lexeme: 'berg', chunks: 2 }], [spelling('other', 'berga')], 100);
    expect(found.map(({ lexeme }) => lexeme)).toEqual(['berg']);
  });

  it('weighs another spelling less than the word itself', () => {
    const [own] = weighWords([{ lexeme: 'berg', chunks: 2 }], [], 100);
    const [other] = weighWords([{ lexeme: 'bergg', chunks: 0 }], [spelling('bergg', 'berg', 2)], 100);
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

describe('candidateQuery', () => {
  const counts = new Map([
    ['rare', 10],
    ['some', 1_000],
    ['few', 1_200],
    ['common', 5_000],
    ['frequent', 6_000],
    ['often', 7_000],
    ['always', 8_000],
  ]);
  const query = (...lexemes: string[]) =>
    candidateQuery(
      '#7',
      lexemes.map((lexeme) => ({ lexeme, weight: 1 })),
      (lexeme) => counts.get(lexeme) ?? 0,
      20_000,
    );

  it('takes rare words alone', () => {
    expect(query('rare', 'common')).toBe("'#7' & ('rare')");
    expect(query('rare', 'common', 'frequent')).toBe("'#7' & ('rare')");
  });

  it('takes pairs of words that are not too many together', () => {
    expect(query('rare', 'some', 'few')).toBe("'#7' & ('rare' | ('some' & 'few'))");
  });

  it('requires the three rarest where pairs are too many', () => {
    expect(query('common', 'frequent', 'often', 'always')).toBe("'#7' & ('common' & 'frequent' & 'often')");
  });

  it('takes a single common word', () => {
    expect(query('common')).toBe("'#7' & ('common')");
  });

  it('quotes what has a meaning in a query', () => {
    expect(quoteLexeme("o'neil\\ & (x")).toBe("'o''neil\\\\ & (x'");
  });
});
