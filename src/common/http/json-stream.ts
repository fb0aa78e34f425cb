import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { StreamableFile } from '@nestjs/common';

const CHUNK_CHARACTERS = 64 * 1024;

/**
 * Answers with JSON of any length out of pieces of its text: what is in memory is what the reader has not taken yet,
 * and after each chunk other requests have their turn.
 */
export const jsonStream = (pieces: AsyncIterable<string>): StreamableFile =>
  new StreamableFile(Readable.from(inChunks(pieces)), { type: 'application/json; charset=utf-8' });

/** Around the elements of an array, which come as pieces of their text, with the commas between them. */
export async function* between(before: string, pieces: AsyncIterable<string>, after: string) {
  yield before;
  yield* pieces;
  yield after;
}

async function* inChunks(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const piece of pieces) {
    chunk += piece;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
    await setImmediate();
  }
  yield chunk;
}
