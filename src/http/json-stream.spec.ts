import { expect, it } from '@jest/globals';
import { StreamableFile } from '@nestjs/common';
import { jsonTextOrStream } from './json-stream.js';

async function* piecesOf(count: number): AsyncGenerator<string> {
  for (let piece = 0; piece < count; piece++) yield `${piece},`.padEnd(1000, ' ');
}

const joined = async (pieces: AsyncIterable<string | Buffer>): Promise<string> => {
  let text = '';
  for await (const piece of pieces) text += piece.toString();
  return text;
};

it('returns text when there are few chunks', async () => {
  expect(await jsonTextOrStream(piecesOf(3))).toBe(await joined(piecesOf(3)));
});

it('streams all chunks when there are many', async () => {
  const answer = await jsonTextOrStream(piecesOf(1000));
  if (!(answer instanceof StreamableFile)) throw new Error('The answer is no stream');
  expect(await joined(answer.getStream() as AsyncIterable<Buffer>)).toBe(await joined(piecesOf(1000)));
});
