import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { nextBulkTurn } from '#src/common/fairness/bulk-turns.js';

export const JSON_TYPE = 'application/json; charset=utf-8';
/** Of a piece that is worth passing on by itself. */
export const CHUNK_CHARACTERS = 32 * 1024;
/** Of the first one: it does not wait for more rows. */
const FIRST_CHARACTERS = 1024;

/**
 * Streams JSON of any length from pieces of its text: only unread text is in memory, and other requests run after each
 * chunk.
 */
export const jsonStream = (pieces: AsyncIterable<string>): StreamableFile =>
  new StreamableFile(Readable.from(inChunks(pieces), { highWaterMark: 1 }), { type: JSON_TYPE });

/** Joins pieces of text, the elements of an array, with commas, between `before` and `after`. */
export async function* joinArrayElements(before: string, pieces: AsyncIterable<string>, after: string) {
  yield before;
  yield* pieces;
  yield after;
}

/** Up to this length an answer is sent as a text: a stream costs more than the rest of a short page. */
const MAX_TEXT_CHARACTERS = 128 * 1024;

/** A text of JSON where the pieces are few; else as `jsonStream`. */
export async function jsonTextOrStream(pieces: AsyncIterable<string>): Promise<string | StreamableFile> {
  const iterator = pieces[Symbol.asyncIterator]();
  let text = '';
  while (text.length <= MAX_TEXT_CHARACTERS) {
    const { done, value } = await iterator.next();
    if (done) return text;
    text += value;
  }
  return jsonStream(resumed(text, iterator));
}

async function* resumed(text: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield text;
  yield* { [Symbol.asyncIterator]: () => rest };
}

async function* inChunks(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  let enough = FIRST_CHARACTERS;
  for await (const piece of pieces) {
    chunk += piece;
    if (chunk.length < enough) continue;
    yield chunk;
    chunk = '';
    enough = CHUNK_CHARACTERS;
    await nextBulkTurn();
  }
  yield chunk;
}

/** Elements of an array as pieces of its text, out of rows that are read in batches of their ids. */
export async function* streamArrayElements<Row>(
  ids: number[],
  batch: number,
  read: (ids: number[]) => Promise<Row[]>,
  toText: (row: Row) => string,
): AsyncGenerator<string> {
  let chunk = '';
  let separator = '';
  for (let start = 0; start < ids.length; start += batch) {
    for (const row of await read(ids.slice(start, start + batch))) {
      chunk += separator + toText(row);
      separator = ',';
      if (chunk.length < CHUNK_CHARACTERS) continue;
      yield chunk;
      chunk = '';
    }
  }
  yield chunk;
}
