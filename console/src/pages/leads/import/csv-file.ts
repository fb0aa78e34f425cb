import { readColumnNames } from '../../../../../src/common/csv/column-names';
import {
  detectDialect,
  DIALECT_SAMPLE_CHARACTERS,
  encodingOf,
} from '../../../../../src/common/csv/csv-dialect';
import { CsvScanner, type CsvDialect } from '../../../../../src/common/csv/csv-scanner';
import { t } from '#console/texts';
import { ADDED } from './added-columns';

/** As the service takes it. */
const MAX_BYTES = 100 * 1024 * 1024;
/** Read for the preview, however long the file is; in UTF-16 a character has two bytes. */
const HEAD_BYTES = 4 * DIALECT_SAMPLE_CHARACTERS;
const SAMPLES = 5;
const MARKS = [/^efbbbf/, /^fffe/, /^feff/];
/** ZIP (.xlsx) and the older format of Office. */
const SPREADSHEET = /^504b0304|^d0cf11e0/;

/** What the first part of a CSV file tells. */
export interface CsvHead {
  file: File;
  /** As they are written. */
  names: string[];
  /** What the service takes each column as; null: a variable. */
  known: (string | null)[];
  /** The first values of each column. */
  samples: string[][];
  encoding: string;
  dialect: CsvDialect;
  /** Of the header, with everything in front of it. */
  headerBytes: number;
  /** Lines of the file that the header and what is in front of it take. */
  headerLines: number;
  /** Of the line `sep=`. */
  skipped: number;
}

export class UnreadableFile extends Error {}

/** Reads the header and the first lines with the service's own reader. @throws UnreadableFile */
export async function readHead(file: File): Promise<CsvHead> {
  const { problems } = t.leads.importing;
  if (file.size > MAX_BYTES) throw new UnreadableFile(problems.size);
  if (file.size === 0) throw new UnreadableFile(problems.empty);
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const first = hexOf(bytes.subarray(0, 4));
  if (SPREADSHEET.test(first)) throw new UnreadableFile(problems.spreadsheet);
  const encoding = encodingOf(first);
  const text = new TextDecoder(encoding).decode(bytes, { stream: true });
  const { rest, skipped, isKnown, ...dialect } = detectDialect(text);
  if (!isKnown) throw new UnreadableFile(problems.separator);

  const end = endOfHeader(rest, dialect);
  const [header] = new CsvScanner(dialect).read(`${rest.slice(0, end)}${dialect.lineEnd}`);
  if (!header || 'problem' in header) throw new UnreadableFile(problems.header);
  if (header.values.some((name) => name.includes('\uFFFD'))) throw new UnreadableFile(problems.encoding);
  const scanner = new CsvScanner(dialect);
  const rows = [...scanner.read(rest.slice(end)), ...(bytes.length === file.size ? scanner.end() : [])];
  const values = rows.flatMap((row) => ('values' in row ? [row.values] : [])).slice(0, SAMPLES);
  const before = text.slice(0, text.length - rest.length + end);
  return {
    file,
    names: header.values,
    known: readColumnNames(header.values, (name) => /^secondary_phone_[1-9]\d{0,2}$/.test(name)),
    samples: header.values.map((_, column) => values.map((row) => row[column] ?? '')),
    encoding,
    dialect,
    headerBytes:
      (MARKS.some((mark) => mark.test(first)) ? markOf(encoding).length : 0) +
      encode(before, encoding).length,
    headerLines: before.split(dialect.lineEnd).length - 1,
    skipped,
  };
}

/** Characters up to the first line of the data. */
function endOfHeader(text: string, dialect: CsvDialect): number {
  const scanner = new CsvScanner(dialect);
  for (let end = 0; end < text.length; end++) {
    if ([...scanner.read(text[end] ?? '')].length > 0) return end + 1;
  }
  return text.length;
}

/**
 * The file with other names of columns; an empty one leaves the column out. Its lines keep their numbers, and nothing of
 * them is read.
 */
export function renameColumns(head: CsvHead, names: readonly string[]): Blob {
  const { separator, lineEnd } = head.dialect;
  const line = names.map((name) => quote(name)).join(separator);
  const sep = head.skipped > 0 ? `sep=${separator}${lineEnd}` : '';
  const blanks = lineEnd.repeat(Math.max(0, head.headerLines - head.skipped - 1));
  const header = encode(`${sep}${blanks}${line}${lineEnd}`, head.encoding);
  return new Blob([markOf(head.encoding), header, head.file.slice(head.headerBytes)], { type: 'text/csv' });
}

/** Read and split at a time: a few milliseconds, so that the page stays smooth. */
const PIECE_BYTES = 128 * 1024;

/** The values of some lines; the file is read in pieces, up to the last of them. */
export async function readLines(head: CsvHead, wanted: ReadonlySet<number>): Promise<Map<number, string[]>> {
  const found = new Map<number, string[]>();
  const last = Math.max(...wanted);
  const { file, dialect, headerBytes, headerLines } = head;
  const scanner = new CsvScanner(dialect);
  const decoder = new TextDecoder(head.encoding);
  for (let at = headerBytes; at < file.size; at += PIECE_BYTES) {
    const piece = await file.slice(at, at + PIECE_BYTES).arrayBuffer();
    const isEnd = at + PIECE_BYTES >= file.size;
    const rows = scanner.read(decoder.decode(piece, { stream: !isEnd }));
    for (const row of isEnd ? [...rows, ...scanner.end()] : rows) {
      const line = row.line + headerLines;
      if (wanted.has(line) && 'values' in row) found.set(line, row.values);
      if (line >= last) return found;
    }
  }
  return found;
}

export interface RefusedLine {
  line: number;
  message: string;
}

/** The refused lines with what is wrong with them, in the columns of the file. */
export async function refusedLines(head: CsvHead, errors: readonly RefusedLine[]): Promise<Blob> {
  const { separator } = head.dialect;
  const values = await readLines(head, new Set(errors.map(({ line }) => line)));
  const rows = errors.map(({ line, message }) => [
    ...head.names.map((_, column) => values.get(line)?.[column] ?? ''),
    String(line),
    message,
  ]);
  const text = [[...head.names, ...ADDED], ...rows]
    .map((row) => row.map((value) => quote(value)).join(separator))
    .join('\r\n');
  // With the mark a spreadsheet reads it as UTF-8.
  return new Blob([`\uFEFF${text}\r\n`], { type: 'text/csv' });
}

const quote = (value: string): string =>
  /^[\w .-]*$/.test(value) ? value : `"${value.replaceAll('"', '""')}"`;

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const markOf = (encoding: string): Uint8Array<ArrayBuffer> => encode('\uFEFF', encoding);

function encode(text: string, encoding: string): Uint8Array<ArrayBuffer> {
  if (encoding === 'utf-8') return new TextEncoder().encode(text);
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let index = 0; index < text.length; index++) {
    view.setUint16(index * 2, text.charCodeAt(index), encoding === 'utf-16le');
  }
  return new Uint8Array(view.buffer);
}
