import { describe, expect, it } from '@jest/globals';
import { SentenceCutter } from './sentence-cutter.js';

function cut(text: string, size = 3): string[] {
  const cutter = new SentenceCutter();
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += size) pieces.push(...cutter.push(text.slice(at, at + size)));
  return [...pieces, cutter.flush()].filter(Boolean);
}

describe('SentenceCutter', () => {
  it.each([1, 3, 1_000])('cuts after sentences, in tokens of %i characters', (size) => {
    expect(cut('How are you today? I am “fine.” Thanks a lot… Good', size)).toEqual([
      'How are you today? ',
      'I am “fine.” ',
      'Thanks a lot… ',
      'Good',
    ]);
  });

  it('does not cut at abbreviations, numbers and addresses', () => {
    expect(cut('Dr. No has 1.5 dogs')).toEqual(['Dr. No has 1.5 dogs']);
    expect(cut('Write to ada@example.com today')).toEqual(['Write to ada@example.com today']);
  });

  it('cuts after the marks of Chinese and Japanese, which no space follows', () => {
    expect(cut('今日はとてもいい天気ですね。散歩に行きましょう')).toEqual([
      '今日はとてもいい天気ですね。',
      '散歩に行きましょう',
    ]);
  });

  it.each(['word '.repeat(200), 'word, word '.repeat(100), 'a'.repeat(1_000)])(
    'cuts a text without an end into pieces that are it together',
    (text) => {
      const pieces = cut(text);
      expect(pieces.join('')).toBe(text);
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(300);
    },
  );
});
