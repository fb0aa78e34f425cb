import { describe, expect, it } from '@jest/globals';
import { MAX_CHUNK_WORDS, toChunks } from './chunks.js';
import type { TextBlock } from './extracted-text.js';
import { plainText } from './plain-text.js';
import { countWords } from './words.js';

const aBlock = (text: string, more: Partial<TextBlock> = {}): TextBlock => ({
  text,
  headings: [],
  page: null,
  url: null,
  ...more,
});
const sentences = (count: number): string =>
  Array.from({ length: count }, (_, index) => `Sentence number ${index} has exactly seven words.`).join(' ');
const chunksOf = (...blocks: TextBlock[]) => toChunks({ title: null, blocks });
const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();

describe('toChunks', () => {
  it('has none for no text', () => expect(chunksOf(aBlock(' \n '))).toEqual([]));

  it('joins paragraphs of a section and keeps headings, page and url of the first', () => {
    const place = { headings: ['Guide', 'Prices'], page: 3, url: 'https://example.com/' };
    expect(chunksOf(aBlock('One.', place), aBlock('Two.', { ...place, page: 4 }))).toEqual([
      { text: 'One.\n\nTwo.', ...place },
    ]);
  });

  it('divides a long paragraph evenly at sentences and loses nothing', () => {
    const text = sentences(200);
    const chunks = chunksOf(aBlock(text));
    const words = chunks.map((chunk) => countWords(chunk.text));
    expect(Math.max(...words)).toBeLessThanOrEqual(MAX_CHUNK_WORDS);
    expect(Math.min(...words)).toBeGreaterThanOrEqual(MAX_CHUNK_WORDS / 2);
    expect(chunks.every((chunk) => chunk.text.endsWith('words.'))).toBe(true);
    expect(chunks.map((chunk) => chunk.text).join(' ')).toBe(text);
  });

  it('divides a sentence without end between words', () => {
    const text = Array.from({ length: 1_000 }, (_, index) => `word${index}`).join(' ');
    const chunks = chunksOf(aBlock(text));
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.map((chunk) => chunk.text).join(' ')).toBe(text);
  });

  it('divides a text without blanks', () => {
    const text = '営業時間は午前九時から午後五時までです'.repeat(100);
    const chunks = chunksOf(aBlock(text));
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.map((chunk) => chunk.text).join('')).toBe(text);
  });

  it('divides data without blanks', () => {
    const [longest = 0] = chunksOf(aBlock('A1b2'.repeat(100_000)))
      .map(({ text }) => text.length)
      .sort((a, b) => b - a);
    expect(longest).toBeLessThanOrEqual(MAX_CHUNK_WORDS * 12);
  });

  it('joins small sections below one heading, with their headings as lines', () => {
    const text = plainText(
      '# Shop\n\n## Monday\n\nClosed.\n\n## Tuesday\n\nOpen from nine.\n\n# Staff\n\nThree people.',
    );
    expect(toChunks(text)).toEqual([
      { text: 'Monday\nClosed.\n\nTuesday\nOpen from nine.', headings: ['Shop'], page: null, url: null },
      { text: 'Three people.', headings: ['Staff'], page: null, url: null },
    ]);
  });

  it('does not join sections of different pages of a website', () => {
    const place = { headings: ['Shop', 'Hours'] };
    expect(
      chunksOf(
        aBlock('a', { ...place, url: 'https://a.example/1' }),
        aBlock('b', { ...place, url: 'https://a.example/2' }),
      ),
    ).toHaveLength(2);
  });

  it('keeps every word of random documents, in order, and gives the same again', () => {
    for (let seed = 1; seed <= 30; seed++) {
      const blocks = Array.from({ length: 20 }, (_, index) =>
        aBlock(sentences((seed * (index + 3) * 7919) % 60), {
          headings: ['Top', `Part ${(index * seed) % 5}`],
        }),
      );
      const chunks = chunksOf(...blocks);
      const read = flat(chunks.map(({ text }) => text.replace(/^Part \d$/gm, '')).join(' '));
      expect(read).toBe(flat(blocks.map(({ text }) => text).join(' ')));
      expect(chunksOf(...blocks)).toEqual(chunks);
      expect(chunks.every(({ text }) => countWords(text) <= MAX_CHUNK_WORDS + 2)).toBe(true);
    }
  });
});

describe('plainText', () => {
  it('has the title that stands above all of it, and none of several', () => {
    expect(plainText('# Guide\n\n## Prices\n\nTen.\n\n## Hours\n\nNine.').title).toBe('Guide');
    expect(plainText('# Prices\n\nTen.\n\n# Hours\n\nNine.').title).toBeNull();
  });

  it('reads headings with marks and with underlines, and none inside code', () => {
    const text =
      'Title\n=====\nfirst\n\n### Sub ###\n\n```\n# no heading\n```\n\n#hashtag\n\nOther\n---\nlast';
    expect(plainText(text).blocks.map((block) => [...block.headings, block.text])).toEqual([
      ['Title', 'first'],
      ['Title', 'Sub', '```\n# no heading\n```'],
      ['Title', 'Sub', '#hashtag'],
      ['Title', 'Other', 'last'],
    ]);
  });

  it('reads a million marks in linear time', () => {
    expect(plainText(`# a${' #'.repeat(500_000)}\ntext`).blocks).toHaveLength(1);
  });
});
