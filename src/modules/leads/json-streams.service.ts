import { AsyncResource } from 'node:async_hooks';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { SharedPool } from '#src/common/persistence/shared-pool.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';

const CONNECTIONS = 4;
/** Connections that one account's lists may use: a batch keeps a processor of the database busy. */
const ACCOUNT_SHARE = 1;
/** How long a batch waits for one of them. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Time limits of a batch: statement and lock. */
const TIME_LIMITS = { statement_timeout: 10_000, lock_timeout: 3_000 };
/** The first batch is small, so that the first byte is sent soon. */
const FIRST_ROWS = 10;
const MAX_ROWS = 300;
/** A batch ends with the row that exceeds it: rows differ in size by a factor of a thousand. */
const BATCH_BYTES = 128 * 1024;
/**
 * Forces the index scan that gives the order: no sort and no JIT compilation before the first row. A plan is made once
 * for all batches: to plan each takes a fifth of the time in which it runs.
 */
const PLANNER_OPTIONS =
  '-c timezone=UTC -c random_page_cost=1 -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off ' +
  '-c plan_cache_mode=force_generic_plan';

/** Keyset cursor: the last row's time and id. */
interface CursorPosition {
  created_at: string;
  id: number;
}

/** With the position of its last row. */
interface StreamBatch extends CursorPosition {
  /** Separated by commas; null without rows. */
  elements: string | null;
  /** Number of the elements. */
  count: number;
  /** Number of rows that were read for it: less than the limit at the end of the list. */
  read: number;
}

/** A query whose batches follow each other, newest rows first. */
export interface JsonListQuery {
  /** SQL of the element's JSON. The texts of all queries are few: connections keep their plans. */
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
  /** Names of the prepared statements by their texts. */
  private readonly names = new Map<string, string>();

  constructor({ databaseUrl }: RuntimeSettings) {
    this.pool = new SharedPool({
      connectionString: databaseUrl,
      application_name: 'calls-streams',
      max: CONNECTIONS,
      accountShare: ACCOUNT_SHARE,
      jobsShare: ACCOUNT_SHARE,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      ...TIME_LIMITS,
      options: PLANNER_OPTIONS,
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
  async streamArray(query: JsonListQuery): Promise<AsyncIterable<string>> {
    // The next batch is requested by the socket, outside of the request's async context.
    const read = AsyncResource.bind((after: CursorPosition | null, limit: number) =>
      this.readBatch(query, after, limit),
    );
    return streamPieces(await read(null, FIRST_ROWS), read);
  }

  /** One row with one text: a row for each element takes longer to read than to render. */
  private async readBatch(
    query: JsonListQuery,
    after: CursorPosition | null,
    limit: number,
  ): Promise<StreamBatch> {
    const { element, from, where, table, values } = query;
    const n = values.length;
    const behind = after
      ? `AND (${table}.created_at, ${table}.id) < ($${n + 1}::timestamptz, $${n + 2}::int)`
      : '';
    // The time as text, because a Date has no microseconds.
    const text = `
      SELECT string_agg(element, ',') FILTER (WHERE fits) AS elements, count(*) FILTER (WHERE fits)::int AS count,
             count(*)::int AS read, (min(created_at) FILTER (WHERE fits))::text AS created_at,
             (array_agg(id) FILTER (WHERE fits))[count(*) FILTER (WHERE fits)] AS id
        FROM (
          SELECT element, created_at, id, sum(octet_length(element)) OVER listed - octet_length(element) < ${BATCH_BYTES} AS fits
            FROM (
              SELECT ${element}::text AS element, ${table}.created_at, ${table}.id FROM ${from} WHERE ${where} ${behind}
               ORDER BY ${table}.created_at DESC, ${table}.id DESC LIMIT $${after ? n + 3 : n + 1}::int) found
          WINDOW listed AS (ORDER BY created_at DESC, id DESC ROWS UNBOUNDED PRECEDING)) one`;
    const all = after ? [...values, after.created_at, after.id, limit] : [...values, limit];
    try {
      const { rows } = await this.pool.query<StreamBatch>({
        name: this.statementNameOf(text),
        text,
        values: all,
      });
      return rows[0] as StreamBatch;
    } catch (error) {
      throw error instanceof Error ? new QueryFailedError(text, all, error) : error;
    }
  }

  private statementNameOf(text: string): string {
    const name = this.names.get(text) ?? `list_${this.names.size + 1}`;
    this.names.set(text, name);
    return name;
  }
}

/** The next batch is read while one is being sent. */
async function* streamPieces(
  first: StreamBatch,
  read: (after: CursorPosition | null, limit: number) => Promise<StreamBatch>,
): AsyncGenerator<string> {
  let readBatch = first;
  let limit = FIRST_ROWS;
  let separator = '';
  while (readBatch.elements !== null) {
    const { elements, count } = readBatch;
    const isLast = readBatch.read < limit && readBatch.read === count;
    limit = Math.max(1, Math.min(MAX_ROWS, Math.floor((count * BATCH_BYTES) / elements.length)));
    const next = isLast ? null : read(readBatch, limit);
    // Handled below; ignored when the reader disconnects first.
    next?.catch(() => undefined);
    yield separator + elements;
    separator = ',';
    if (!next) break;
    readBatch = await next;
  }
}
