import { describe, expect, it } from '@jest/globals';
import { SentenceSplitter } from './sentence-splitter.js';

function cut(text: string, size = 3): string[] {
  const cutter = new SentenceSplitter();
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += size) pieces.push(...cutter.push(text.slice(at, at + size)));
  return [...pieces, cutter.flush()].filter(Boolean);
}

describe('SentenceSplitter', () => {
  it.each([1, 3, 1_000])('cuts after sentences, in tokens of %i characters', (size) => {
    expect(cut('How are you today? I am “fine.” Thanks a lot… Good', size)).toEqual([
      'How are you today? ',
      'I am “fine.” ',
      'Thanks a lot… ',
      'Good',
    ]);
  });

  it('cuts the first sentence of a speech after its first long clause, and no other', () => {
    const text =
      'Well, on Friday at nine there is a place, and at ten. On Monday afternoon we are full, sorry.';
    expect(cut(text)).toEqual([
      'Well, on Friday at nine there is a place, ',
      'and at ten. ',
      'On Monday afternoon we are full, sorry.',
    ]);
    const cutter = new SentenceSplitter();
    const pieces = ['We open at nine in the morning, ', 'or so.'];
    expect([cutter.push(pieces.join('')), cutter.flush(), cutter.push(pieces.join(''))]).toEqual([
      [pieces[0]],
      pieces[1],
      [pieces[0]],
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
    'splits a text without an end into pieces that add up to it',
    (text) => {
      const pieces = cut(text);
      expect(pieces.join('')).toBe(text);
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(300);
    },
  );
});
