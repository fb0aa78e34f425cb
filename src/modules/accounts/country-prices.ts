import type { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { isSupportedCountry } from 'libphonenumber-js/max';
import { toMicros } from '#src/common/money/micros.js';
import type { DataSource } from 'typeorm';
import { toAmount } from '#src/common/money/micros.js';
import { INSTALLATION } from '../audit/audit.types.js';
import type { AuditService } from '../audit/audit.service.js';
import { OperatorError } from './accounts.errors.js';

export interface ListedPrice {
  country: string | null;
  priceMicros: bigint;
}

interface PriceLine {
  record: Record<string, string | undefined>;
  info: { lines: number };
}

const DEFAULT = '*';

/** Reads a price list. @throws OperatorError naming the first invalid line. */
export async function readPrices(csv: Readable): Promise<ListedPrice[]> {
  const prices = new Map<string, ListedPrice>();
  const parser = csv.pipe(
    parse({ bom: true, columns: true, trim: true, skip_empty_lines: true, info: true }),
  );
  csv.once('error', (error) => parser.destroy(error));
  try {
    for await (const { record, info } of parser as AsyncIterable<PriceLine>) {
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

export interface CountryPrice {
  /** ISO 3166-1 alpha-2; null: every country that has no price of its own. */
  country: string | null;
  priceMicros: bigint;
  validFrom: Date;
}

export interface PriceLoadResult {
  lines: number;
  /** Countries whose price is new or changed; the former price is kept in the history. */
  changed: number;
}

/** Prices by country in a table with the columns `country`, `price_micros` and `valid_from`; the newest applies. */
export class CountryPrices {
  constructor(
    protected readonly db: DataSource,
    private readonly audit: AuditService,
    private readonly table: string,
  ) {}

  /** Micro-units in a country; null or one without a price of its own: the default price. */
  async findPrice(country: string | null): Promise<bigint> {
    const [row]: { price_micros: string }[] = await this.db.query(this.priceSql('$1'), [country]);
    return this.parsePrice(row?.price_micros);
  }

  /** For a larger statement: one row with `price_micros`, see `parsePrice`. @param country a parameter or a column */
  priceSql(country: string): string {
    return `SELECT price_micros FROM ${this.table} price
             WHERE (price.country = ${country} OR price.country IS NULL) AND valid_from <= now()
             ORDER BY price.country NULLS LAST, valid_from DESC, id DESC LIMIT 1`;
  }

  /** The price in a row of `priceSql`. */
  parsePrice(priceMicros: string | null | undefined): bigint {
    if (priceMicros === null || priceMicros === undefined)
      throw new Error(`There is no default price in ${this.table}`);
    return BigInt(priceMicros);
  }

  /** The current prices, the default last. */
  async listPrices(): Promise<CountryPrice[]> {
    const rows: { country: string | null; price_micros: string; valid_from: Date }[] = await this.db.query(
      `SELECT DISTINCT ON (country) country, price_micros, valid_from FROM ${this.table} WHERE valid_from <= now()
        ORDER BY country NULLS LAST, valid_from DESC, id DESC`,
    );
    return rows.map((row) => ({
      country: row.country,
      priceMicros: BigInt(row.price_micros),
      validFrom: row.valid_from,
    }));
  }

  /**
   * Loads a CSV with the columns `country` (`*` for the default) and `price` (units of the currency). Countries that
   * it does not name keep their price. @throws OperatorError; nothing is loaded then.
   */
  async loadPrices(csv: Readable): Promise<PriceLoadResult> {
    const prices = await readPrices(csv);
    const changed = await this.audit.change(async (tx, record) => {
      const rows: { country: string | null; price_micros: string }[] = await tx.query(
        `INSERT INTO ${this.table} (country, price_micros)
         SELECT given.country, given.price
           FROM unnest($1::char(2)[], $2::bigint[]) AS given (country, price)
          WHERE given.price IS DISTINCT FROM (
            SELECT price_micros FROM ${this.table} known
             WHERE known.country IS NOT DISTINCT FROM given.country AND valid_from <= now()
             ORDER BY valid_from DESC, id DESC LIMIT 1)
         RETURNING country, price_micros`,
        [prices.map(({ country }) => country), prices.map(({ priceMicros }) => String(priceMicros))],
      );
      const listed = rows.map((row) => `${row.country ?? DEFAULT} ${toAmount(BigInt(row.price_micros))}`);
      if (rows.length > 0)
        record({
          accountId: INSTALLATION,
          action: 'price.update',
          details: { list: this.table, prices: listed.sort() },
        });
      return rows.length;
    });
    return { lines: prices.length, changed };
  }
}
