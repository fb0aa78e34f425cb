import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { CsvError, parse, type InfoRecord } from 'csv-parse';
import { BULK_TURN_MS, nextBulkTurn } from '#src/common/fairness/bulk-turns.js';

/** More characters than a line with 64 KiB of variables and its quotes can have. */
const MAX_LINE_CHARACTERS = 192 * 1024;
/** Bytes in which the separator is detected; enough for any header. */
const SNIFFED_BYTES = 64 * 1024;
/** Parsed in one go; other requests have their turn in between. */
const CHUNK_BYTES = 1024;

export interface CsvRow {
  /** In the file, from 1; where the row begins. */
  line: number;
  values: string[];
}

/** The file cannot be read from this line on; it is the last item. */
export interface UnreadableRow {
  line: number;
  problem: string;
}

const PROBLEMS: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'The line has a quote that is not closed; nothing was read from here on.',
  CSV_MAX_RECORD_SIZE: 'The line is too long, or a quote is not closed; nothing was read from here on.',
};

/**
 * The rows of a CSV file, header included, one after the other: comma or semicolon, quotes, byte order mark.
 * Rows without any value are left out.
 *
 * @param hasRead gets how many bytes of the file were read, before each row
 */
export async function* readCsvRows(
  path: string,
  hasRead: (bytes: number) => void = () => undefined,
): AsyncGenerator<CsvRow | UnreadableRow> {
  let failure: CsvError | undefined;
  let line = 1;
  let emptyLines = 0;
  // Filtered here and not in the loop below, which is slower per row. The first text is the line.
  const toRow = (record: string[], { empty_lines }: InfoRecord): string[] | null => {
    if (failure) return null;
    const at = line + empty_lines - emptyLines;
    line = at + 1;
    emptyLines = empty_lines;
    if (record.every((value) => value === '')) return null;
    line += lineBreaksIn(record);
    const values = record.map((value) => value.trimEnd());
    return values.some((value) => value !== '') ? [String(at), ...values] : null;
  };
  const parser = parse({
    bom: true,
    delimiter: await separatorOf(path),
    ltrim: true,
    max_record_size: MAX_LINE_CHARACTERS,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    // A thrown error would discard the rows that were read before; after an error the parser's position is undefined.
    skip_records_with_error: true,
    on_skip: (error) => {
      if (!failure) line += parser.info.empty_lines - emptyLines;
      failure ??= error;
    },
    on_record: toRow,
  });
  // An error of the file arrives at the parser, where it is thrown out of the loop.
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  const rows: AsyncIterable<string[]> = pipeline(file, parser, () => undefined);
  let turn = performance.now();
  for await (const [at, ...values] of rows) {
    hasRead(file.bytesRead);
    yield { line: Number(at), values };
    if (performance.now() - turn < BULK_TURN_MS) continue;
    await nextBulkTurn();
    turn = performance.now();
  }
  if (failure) yield { line, problem: PROBLEMS[failure.code] ?? 'The line cannot be read.' };
}

/** Removes a carriage return at the end, which remains in files with mixed line ends. */
const lineBreaksIn = (values: string[]): number =>
  values.reduce((count, value) => count + (value.match(/\r?\n|\r(?!$)/g)?.length ?? 0), 0);

/** Of comma and semicolon, the one that the header has more of outside of quotes. */
async function separatorOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, 0);
    // One character per byte: the ones that count are the same in every encoding of interest.
    const [header = ''] = buffer
      .toString('latin1', 0, bytesRead)
      .replace(/"[^"]*"/g, '')
      .trimStart()
      .split(/[\r\n]/);
    return header.split(';').length > header.split(',').length ? ';' : ',';
  } finally {
    await file.close();
  }
}
