import { AsyncResource } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { stringify } from 'csv-stringify/sync';
import { nextBulkTurn } from '../fairness/bulk-turns.js';

const CSV_TYPE = 'text/csv; charset=utf-8';
/** A phone number, which is no formula. */
const PLUS_AND_DIGITS = /^\+\d+$/;
/**
 * Signs with which a formula begins, at the beginning of a cell and where a spreadsheet may see the beginning of one:
 * it splits unquoted text at its own separator, which is the semicolon in many countries, and a line in quotes at its
 * end.
 */
const FORMULA = /((?:^|[;\t\r\n])[\s;"']*)([=+\-@\uFF1D\uFF0B\uFF0D\uFF20]?)/g;

type CsvValue = string | number | object | null;

/** Columns of a CSV file by their names: the value of each for a row. Objects are written as JSON. */
export type CsvColumns<Row> = Record<string, (row: Row) => CsvValue>;

export interface CsvFile<Row> {
  /** Offered to the browser. */
  name: string;
  columns: CsvColumns<Row>;
  /** The rows behind `last`, in order; none: the end. */
  readRowsAfter(last: Row | null): Promise<Row[]>;
}

/** Such a response in the OpenAPI document. */
export const CSV_RESPONSE = { mediaType: 'text/csv', schema: { type: 'string' }, models: [] };

/**
 * Streams a CSV file of any length with a header line (RFC 4180) and bounded memory; no connection is held between two
 * batches. Values that a spreadsheet would execute get an apostrophe in front. The first batch is read before this
 * returns, so that its failure becomes an error response.
 */
export async function csvStream<Row>({
  name,
  columns,
  readRowsAfter,
}: CsvFile<Row>): Promise<StreamableFile> {
  // The next batch is requested by the socket, outside of the request's async context.
  const read = AsyncResource.bind(readRowsAfter);
  const lines = toLines(columns, await read(null), read);
  const disposition = `attachment; filename="${name}"`;
  return new StreamableFile(Readable.from(lines, { highWaterMark: 1 }), { type: CSV_TYPE, disposition });
}

async function* toLines<Row>(
  columns: CsvColumns<Row>,
  first: Row[],
  next: (last: Row) => Promise<Row[]>,
): AsyncGenerator<string> {
  const values = Object.values(columns);
  yield toCsv([Object.keys(columns)]);
  for (let batch = first, last = batch.at(-1); last; batch = await next(last), last = batch.at(-1)) {
    for (const row of batch) {
      yield toCsv([values.map((value) => value(row))]);
      await nextBulkTurn();
    }
  }
}

const toCsv = (records: CsvValue[][]): string =>
  stringify(records, {
    record_delimiter: 'windows',
    // The separators of other countries and every line break, not the one of this file only.
    quoted_match: /[;\t\r\n]/,
    cast: { string: inert, object: (value) => inert(JSON.stringify(value)) },
  });

const inert = (text: string): string =>
  PLUS_AND_DIGITS.test(text)
    ? text
    : text.replace(FORMULA, (_, before: string, sign: string) => `${before}${sign && "'"}${sign}`);
