import { AsyncResource } from 'node:async_hooks';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { CHUNK_CHARACTERS } from '#src/common/http/json-stream.js';
import { SharedPool } from '#src/common/persistence/shared-pool.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';

const CONNECTIONS = 4;
/** Connections that one account's lists may use. */
const ACCOUNT_SHARE = 2;
/** How long a batch waits for one of them. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Time limits of a batch: statement and lock. */
const TIME_LIMITS = { statement_timeout: 10_000, lock_timeout: 3_000 };
/** The first batch is small, so that the first byte is sent soon. */
const FIRST_ROWS = 10;
const MOST_ROWS = 200;
/** Target size of a batch: rows differ in size by a factor of a thousand. */
const BATCH_CHARACTERS = 128 * 1024;
/** Forces the index scan that gives the order: no sort and no JIT compilation before the first row. */
const PLANNING =
  '-c timezone=UTC -c random_page_cost=1 -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off';

/** Keyset cursor: the last row's time and id. */
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
 * Streams JSON arrays of any length with bounded memory. Rows are read in batches by a keyset cursor; no connection is
 * held between batches, so slow readers do not block others. A row that exists during the whole stream appears once,
 * as it is when its batch is read.
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
    // The pool replaces an idle connection that breaks.
    this.pool.on('error', () => undefined);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  /**
   * Elements as pieces of the array's text. The first batch is read before this returns, so that its failure becomes
   * an error response.
   */
  async streamArray(query: ListQuery): Promise<AsyncIterable<string>> {
    // The next batch is requested by the socket, outside of the request's async context.
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

/** The next batch is read while one is being sent. */
async function* pieces(
  first: Row[],
  read: (after: Position | null, limit: number) => Promise<Row[]>,
): AsyncGenerator<string> {
  let batch = first;
  let limit = FIRST_ROWS;
  let chunk = '';
  let separator = '';
  for (;;) {
    const last = batch.at(-1);
    if (!last) break;
    const characters = batch.reduce((sum, { element }) => sum + element.length, 0);
    const isLast = batch.length < limit;
    limit = Math.max(1, Math.min(MOST_ROWS, Math.floor((batch.length * BATCH_CHARACTERS) / characters)));
    const next = isLast ? null : read(last, limit);
    // Handled below; ignored when the reader disconnects first.
    next?.catch(() => undefined);
    for (const { element } of batch) {
      chunk += separator + element;
      separator = ',';
      if (chunk.length < CHUNK_CHARACTERS) continue;
      yield chunk;
      chunk = '';
    }
    if (!next) break;
    batch = await next;
  }
  yield chunk;
}
