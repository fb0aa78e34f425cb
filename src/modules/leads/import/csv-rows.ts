import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';

/** More characters than a line with 64 KiB of variables and its quotes can have. */
const MAX_LINE_CHARACTERS = 192 * 1024;
/** Enough for any header. */
const SNIFFED_BYTES = 64 * 1024;

export interface CsvRow {
  /** In the file, from 1; where the row begins. */
  line: number;
  values: string[];
}

/** The file cannot be read any further. */
export class UnreadableCsv extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

const PROBLEMS: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'The line has a quote that is not closed; nothing was read from here on.',
  CSV_MAX_RECORD_SIZE: 'The line is too long, or a quote is not closed; nothing was read from here on.',
};

/**
 * The rows of a CSV file, header included, one after the other: comma or semicolon, quotes, byte order mark.
 * Rows without any value are left out.
 * @throws UnreadableCsv
 */
export async function* readCsvRows(path: string): AsyncGenerator<CsvRow> {
  const parser = parse({
    bom: true,
    delimiter: await separatorOf(path),
    info: true,
    max_record_size: MAX_LINE_CHARACTERS,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    trim: true,
  });
  let next = 1;
  try {
    // Errors arrive at the parser, where they are thrown out of the loop.
    const rows: AsyncIterable<{ record: string[]; info: { lines: number } }> = pipeline(
      createReadStream(path),
      parser,
      () => undefined,
    );
    for await (const { record, info } of rows) {
      yield { line: info.lines - lineBreaksIn(record), values: record };
      next = info.lines + 1;
    }
  } catch (error) {
    if (error instanceof CsvError)
      throw new UnreadableCsv(next, PROBLEMS[error.code] ?? 'The line cannot be read.');
    throw error;
  }
}

const lineBreaksIn = (values: string[]): number =>
  values.reduce((count, value) => count + (value.match(/\r\n|\r|\n/g)?.length ?? 0), 0);

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
