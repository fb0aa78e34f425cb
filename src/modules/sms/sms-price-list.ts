import type { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { isSupportedCountry } from 'libphonenumber-js/max';
import { toMicros } from '#src/common/money/micros.js';
import { OperatorError } from '../accounts/operator.error.js';

export interface ListedPrice {
  country: string | null;
  priceMicros: bigint;
}

interface Line {
  record: Record<string, string | undefined>;
  info: { lines: number };
}

const DEFAULT = '*';

/** Reads a price list. @throws OperatorError naming the first line that cannot be right. */
export async function readPrices(csv: Readable): Promise<ListedPrice[]> {
  const prices = new Map<string, ListedPrice>();
  const parser = csv.pipe(
    parse({ bom: true, columns: true, trim: true, skip_empty_lines: true, info: true }),
  );
  csv.once('error', (error) => parser.destroy(error));
  try {
    for await (const { record, info } of parser as AsyncIterable<Line>) {
      const country = record.country?.toUpperCase() ?? '';
      if (country !== DEFAULT && !isSupportedCountry(country))
        throw wrong(info.lines, 'country is no ISO 3166 code or *');
      if (prices.has(country)) throw wrong(info.lines, `${country} was priced before`);
      prices.set(country, {
        country: country === DEFAULT ? null : country,
        priceMicros: priceOf(record.price, info.lines),
      });
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `The price list cannot be read: ${error instanceof Error ? error.message : 'unknown error'}`,
    );
  }
  if (prices.size === 0)
    throw new OperatorError('The price list is empty; it needs the columns country and price.');
  return [...prices.values()];
}

function priceOf(text: string | undefined, line: number): bigint {
  try {
    const price = toMicros(text ?? '');
    if (price >= 0n) return price;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw wrong(line, 'price is no decimal number of 0 or more');
}

const wrong = (line: number, what: string): OperatorError =>
  new OperatorError(`Line ${line}: ${what}. Nothing was loaded.`);
