import type { CsvDialect } from './csv-scanner.js';

/** Characters in which separator and line end are detected; enough for any header. */
export const DIALECT_SAMPLE_CHARACTERS = 64 * 1024;

/** Marks in front of a text, and the codes of text without one that has a character of ASCII in front. */
const ENCODINGS: readonly [bytes: RegExp, encoding: string][] = [
  [/^efbbbf/, 'utf-8'],
  [/^fffe|^(?!00)..00/, 'utf-16le'],
  [/^feff|^00(?!00)../, 'utf-16be'],
];
/** @param firstBytes four bytes or more, in hexadecimal digits */
export const encodingOf = (firstBytes: string): string =>
  ENCODINGS.find(([bytes]) => bytes.test(firstBytes))?.[1] ?? 'utf-8';

const SEPARATORS = [',', ';', '\t', '|'];
const LINE_END = /\r\n|\n|\r/g;
/** The first line that Excel writes for itself; people put it into files for Excel, also behind blank lines. */
const NAMED_SEPARATOR = /"? ?sep {0,3}= {0,3}["']{0,2}(.)["']{0,3}[ \t;,|]*(?:\r\n|\n|\r|$)/iy;

export interface DetectedDialect extends CsvDialect {
  /** The text behind its line `sep=`. */
  rest: string;
  /** Lines that were left out. */
  skipped: number;
  /** Whether the separator is one that is known. */
  isKnown: boolean;
}

/** Whether a text is long enough to detect separator and line end. */
export function canDetectDialect(text: string): boolean {
  if (text.length >= DIALECT_SAMPLE_CHARACTERS) return true;
  const header = text.search(/[^\r\n,;\t| ]/);
  return header >= 0 && /[\r\n][^]/.test(text.slice(header));
}

/** Of the separators, the one that the first line with a value has most of, outside of quotes. */
export function detectDialect(text: string): DetectedDialect {
  NAMED_SEPARATOR.lastIndex = Math.max(0, text.search(/[^ \t\r\n]/));
  const named = NAMED_SEPARATOR.exec(text);
  const end = named ? named.index + named[0].length : 0;
  const rest = text.slice(end);
  const skipped = text.slice(0, end).match(LINE_END)?.length ?? 0;
  const outside = rest.slice(0, DIALECT_SAMPLE_CHARACTERS).replace(/"[^"]*"/g, 'x');
  const header = outside.split(/[\r\n]/).find((line) => /[^,;\t| ]/.test(line)) ?? '';
  const counted = SEPARATORS.map((sign) => ({ sign, count: header.split(sign).length }));
  const [most] = counted.sort((one, other) => other.count - one.count);
  const separator = named?.[1] ?? most?.sign ?? ',';
  const lineEnd = /\r(?!\n)/.test(/^[^\n\r]*(\r\n?|\n)/.exec(outside)?.[1] ?? '') ? '\r' : '\n';
  return { separator, lineEnd, rest, skipped, isKnown: SEPARATORS.includes(separator) };
}
