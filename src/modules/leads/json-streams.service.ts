import { AsyncResource } from 'node:async_hooks';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { SharedPool } from '#src/common/persistence/shared-pool.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';

const CONNECTIONS = 4;
/** One account's lists, however many it reads, leave connections for the others. */
const ACCOUNT_SHARE = 2;
/** How long a batch waits for one of them. */
const CONNECT_TIMEOUT_MS = 10_000;
/** A batch may take so long, and wait so long for a lock. */
const TIME_LIMITS = { statement_timeout: 10_000, lock_timeout: 3_000 };
/** The first batch is small, so that the first byte comes soon. */
const FIRST_ROWS = 10;
const MOST_ROWS = 200;
/** Batches grow or shrink to about this: rows differ in size a thousandfold. */
const BATCH_CHARACTERS = 128 * 1024;
/** The order comes out of an index: nothing is sorted or compiled before the first row. */
const PLANNING =
  '-c timezone=UTC -c random_page_cost=1 -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off';

/** Where a list goes on: behind the row with this time and id. */
interface Position {
  created_at: string;
  id: number;
}

interface Row extends Position {
  element: string;
}

/** A query whose batches follow each other, newest rows first. */
export interface ListQuery {
  /** SQL of the element's JSON. */
  element: string;
  from: string;
  where: string;
  values: unknown[];
  /** Alias of the table with `created_at` and `id`. */
  table: string;
}

/**
 * JSON arrays of any length with flat memory. Rows are read in batches, each behind the last row of the one before;
 * between batches no connection is held, so a slow reader costs nobody else anything. Each row that stands from
 * beginning to end comes once, as it is when its batch is read.
 */
@Injectable()
export class JsonStreamsService implements OnApplicationShutdown {
  private readonly pool: SharedPool;

  constructor({ databaseUrl }: RuntimeSettings) {
    this.pool = new SharedPool({
      connectionString: databaseUrl,
      application_name: 'calls-streams',
      max: CONNECTIONS,
      accountShare: ACCOUNT_SHARE,
      jobsShare: ACCOUNT_SHARE,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      ...TIME_LIMITS,
      options: PLANNING,
      allowExitOnIdle: true,
    });
    // An idle connection that breaks is replaced when the next one is asked for.
    this.pool.on('error', () => undefined);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  /**
   * Elements as pieces of the array's text. The first batch is read before this returns: what fails until then
   * becomes an answer.
   */
  async streamArray(query: ListQuery): Promise<AsyncIterable<string>> {
    // The reader's socket asks for the next batch, outside of the request's context.
    const read = AsyncResource.bind((after: Position | null, limit: number) =>
      this.batch(query, after, limit),
    );
    return pieces(await read(null, FIRST_ROWS), read);
  }

  private async batch(query: ListQuery, after: Position | null, limit: number): Promise<Row[]> {
    const { element, from, where, table, values } = query;
    const n = values.length;
    const behind = after
      ? `AND (${table}.created_at, ${table}.id) < ($${n + 1}::timestamptz, $${n + 2}::int)`
      : '';
    // As text, because a Date has no microseconds.
    const text = `SELECT ${element}::text AS element, ${table}.created_at::text AS created_at, ${table}.id AS id
      FROM ${from} WHERE ${where} ${behind} ORDER BY ${table}.created_at DESC, ${table}.id DESC LIMIT ${limit}`;
    const all = after ? [...values, after.created_at, after.id] : values;
    try {
      return (await this.pool.query<Row>(text, all)).rows;
    } catch (error) {
      throw error instanceof Error ? new QueryFailedError(text, all, error) : error;
    }
  }
}

/** A piece for each element; the next batch is under way while one is being sent. */
async function* pieces(
  first: Row[],
  read: (after: Position | null, limit: number) => Promise<Row[]>,
): AsyncGenerator<string> {
  let batch = first;
  let limit = FIRST_ROWS;
  let separator = '';
  for (;;) {
    const last = batch.at(-1);
    if (!last) return;
    const characters = batch.reduce((sum, { element }) => sum + element.length, 0);
    const isLast = batch.length < limit;
    limit = Math.max(1, Math.min(MOST_ROWS, Math.floor((batch.length * BATCH_CHARACTERS) / characters)));
    const next = isLast ? null : read(last, limit);
    // Looked at below, unless the reader goes away meanwhile.
    next?.catch(() => undefined);
    for (const { element } of batch) {
      yield separator + element;
      separator = ',';
    }
    if (!next) return;
    batch = await next;
  }
}
