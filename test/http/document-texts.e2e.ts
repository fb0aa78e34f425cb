import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { openApi } from '../support/contract.js';

const { refused } = JSON.parse(readFileSync('scripts/words.json', 'utf8')) as {
  refused: { pattern: string; write: string }[];
};

/** Descriptions that need more than two sentences, by their beginning, and why. */
const LONGER: [begins: string, why: string][] = [
  ['Events `counters`, `status`', 'the protocol of the stream, which a schema cannot show'],
  ['Events `status`, `turn`', 'the protocol of the stream, which a schema cannot show'],
  ['The stream ends after `ended`', 'the protocol of the stream, which a schema cannot show'],
  ['Finished calls whose records', 'defines each metric, and how groups and values are limited'],
  ['AI voice assistants that place', 'the introduction: what holds for every operation'],
  ['The conversation has ended.', 'the messages that the response may have'],
];

const MAX_SENTENCES = 2;

/** Paragraphs that the document adds to operations; they are data in words. */
const ADDED = /(^|\n\n)(Required scope|Taken and, wholly or in part, not used): .*/g;

/** Texts in backticks and abbreviations end no sentence. */
const sentencesOf = (text: string): number =>
  text
    .replaceAll(ADDED, '')
    .replaceAll(/`[^`]*`/g, 'code')
    .replaceAll(/\b(e\.g|i\.e|etc)\./g, '$1')
    .split(/[.!?](?:\s+|$)/)
    .filter((sentence) => sentence.trim() !== '').length;

/** Every `description` and `summary` of the document, with its path. */
function* textsIn(value: unknown, path = ''): Generator<{ path: string; text: string }> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    const isText = (name === 'description' || name === 'summary') && typeof part === 'string';
    if (isText) yield { path: `${path}/${name}`, text: part };
    else yield* textsIn(part, `${path}/${name}`);
  }
}

it('describes every route and field in at most two sentences, or reports why not', async () => {
  const texts = [...textsIn(await openApi())];
  expect(texts.length).toBeGreaterThan(500);
  const long = texts.filter(({ text }) => sentencesOf(text) > MAX_SENTENCES);
  const unlisted = long.filter(({ text }) => !LONGER.some(([begins]) => text.startsWith(begins)));
  expect(unlisted).toEqual([]);
  const stale = LONGER.filter(([begins]) => !long.some(({ text }) => text.startsWith(begins)));
  expect(stale).toEqual([]);
});

it('uses none of the refused words', async () => {
  const patterns = refused.map(({ pattern }) => new RegExp(pattern.replaceAll(' ', '\\s+'), 'i'));
  const wrong = [...textsIn(await openApi())].filter(({ text }) => patterns.some((one) => one.test(text)));
  expect(wrong).toEqual([]);
});
