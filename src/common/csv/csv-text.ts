import { createReadStream } from 'node:fs';
import { TextDecoder } from 'node:util';
import { encodingOf } from './csv-dialect.js';

/** Read in one go; other requests have their turn in between. */
const CHUNK_BYTES = 16 * 1024;
/** Files of spreadsheets: ZIP (.xlsx, .ods, .numbers) and the older format of Office. */
const SPREADSHEET = /^504b0304|^d0cf11e0/;

export class NotTextError extends Error {
  constructor() {
    super('must be text, not a spreadsheet: save it as CSV');
  }
}

/** The text of a file, in pieces: UTF-8, or UTF-16 in either order, without the mark in front. @throws NotTextError */
export async function* readTextFile(
  path: string,
  hasRead: (bytes: number) => void,
): AsyncGenerator<string, void, undefined> {
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  let decoder: TextDecoder | undefined;
  for await (const chunk of file as AsyncIterable<Buffer>) {
    decoder ??= decoderOf(chunk.toString('hex', 0, 4));
    hasRead(file.bytesRead);
    yield decoder.decode(chunk, { stream: true });
  }
  if (decoder) yield decoder.decode();
}

function decoderOf(firstBytes: string): TextDecoder {
  if (SPREADSHEET.test(firstBytes)) throw new NotTextError();
  return new TextDecoder(encodingOf(firstBytes));
}
