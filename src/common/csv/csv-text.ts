import { createReadStream } from 'node:fs';
import { TextDecoder } from 'node:util';
import type { CsvDialect } from './csv-scanner.js';

/** Read in one go; other requests have their turn in between. */
const CHUNK_BYTES = 16 * 1024;
/** Characters in which separator and line end are detected; enough for any header. */
const SNIFFED = 64 * 1024;

/** Marks in front of a text, and the codes of text without one that has a character of ASCII in front. */
const ENCODINGS: readonly [bytes: RegExp, encoding: string][] = [
  [/^efbbbf/, 'utf-8'],
  [/^fffe|^(?!00)..00/, 'utf-16le'],
  [/^feff|^00(?!00)../, 'utf-16be'],
];
/** Files of spreadsheets: ZIP (.xlsx, .ods, .numbers) and the older format of Office. */
const SPREADSHEET = /^504b0304|^d0cf11e0/;

export class NoText extends Error {
  constructor() {
    super('must be text, not a spreadsheet: save it as CSV');
  }
}

/** The text of a file, in pieces: UTF-8, or UTF-16 in either order, without the mark in front. @throws NoText */
export async function* readText(
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
  if (SPREADSHEET.test(firstBytes)) throw new NoText();
  return new TextDecoder(ENCODINGS.find(([bytes]) => bytes.test(firstBytes))?.[1] ?? 'utf-8');
}

const SEPARATORS = [',', ';', '\t', '|'];
/** The first line that Excel writes for itself; people put it into files for Excel. */
const NAMED_SEPARATOR = /^"?sep=(.)"?[ \t;,|]*\r?(?:\n|\r|$)/i;

export interface Sniffed extends CsvDialect {
  /** The text without its line `sep=`. */
  rest: string;
  /** Lines that were left out. */
  skipped: number;
  /** Whether the separator is one that is known. */
  isKnown: boolean;
}

/** Enough of a text to tell separator and line end. */
export function isEnough(text: string): boolean {
  if (text.length >= SNIFFED) return true;
  const header = text.search(/[^\r\n,;\t| ]/);
  return header >= 0 && /[\r\n][^]/.test(text.slice(header));
}

/** Of the separators, the one that the first line with a value has most of, outside of quotes. */
export function sniff(text: string): Sniffed {
  const named = NAMED_SEPARATOR.exec(text);
  const rest = named ? text.slice(named[0].length) : text;
  const outside = rest.slice(0, SNIFFED).replace(/"[^"]*"/g, 'x');
  const header = outside.split(/[\r\n]/).find((line) => /[^,;\t| ]/.test(line)) ?? '';
  const counted = SEPARATORS.map((sign) => ({ sign, count: header.split(sign).length }));
  const [most] = counted.sort((one, other) => other.count - one.count);
  const separator = named?.[1] ?? most?.sign ?? ',';
  const lineEnd = /\r(?!\n)/.test(/^[^\n\r]*(\r\n?|\n)/.exec(outside)?.[1] ?? '') ? '\r' : '\n';
  return { separator, lineEnd, rest, skipped: named ? 1 : 0, isKnown: SEPARATORS.includes(separator) };
}
