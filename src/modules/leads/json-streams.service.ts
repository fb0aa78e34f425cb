import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { addAbortSignal, Transform, type Readable, type TransformCallback } from 'node:stream';
import pg from 'pg';
import { GuardedClient, guardConnectionErrors } from '#src/common/persistence/connection-error-guard.js';
import QueryStream from 'pg-query-stream';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { ListsBusy } from './leads.errors.js';

const CONNECTIONS = 4;
/** How long a request waits for one of them. */
const PATIENCE_MS = 5_000;
/** A stream takes no longer, be it the database or the reader that is slow: others wait for the connection. */
const LONGEST_STREAM_MS = 120_000;
const BATCH_ROWS = 200;
const CHUNK_CHARACTERS = 32 * 1024;
/** First rows first: their order comes out of an index, nothing is sorted or compiled before the first one. */
const PLANNING = '-c random_page_cost=1 -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off';

/**
 * JSON arrays of any length out of a cursor, with flat memory. A small pool of its own: slow readers keep a
 * connection for long and must not use up those of all other requests.
 */
@Injectable()
export class JsonStreamsService implements OnApplicationShutdown {
  private readonly pool: pg.Pool;

  constructor({ databaseUrl }: RuntimeSettings) {
    this.pool = new pg.Pool({
      Client: GuardedClient,
      connectionString: databaseUrl,
      application_name: 'calls-streams',
      max: CONNECTIONS,
      connectionTimeoutMillis: PATIENCE_MS,
      statement_timeout: LONGEST_STREAM_MS,
      options: PLANNING,
      allowExitOnIdle: true,
      onConnect: guardConnectionErrors,
    });
    // An idle connection that breaks is replaced when the next one is asked for.
    this.pool.on('error', () => undefined);
  }

  /** After the server has cut its connections: before, the pool would wait for slow readers. */
  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  /**
   * @param sql a query of one column of JSON text; each row becomes an element.
   * @throws ListsBusy when no connection is free for too long.
   */
  async streamArray(sql: string, values: unknown[]): Promise<Readable> {
    const client = await this.pool.connect().catch(() => {
      throw new ListsBusy();
    });
    const rows = client.query(new QueryStream(sql, values, { batchSize: BATCH_ROWS, rowMode: 'array' }));
    const text = addAbortSignal(AbortSignal.timeout(LONGEST_STREAM_MS), new JsonArray());
    const fail = (error: Error): void => void text.destroy(error);
    client.on('error', fail);
    rows.on('error', fail);
    text.once('close', () => {
      client.off('error', fail);
      // Whatever ended it early left the query half done: such a connection is closed, not used again.
      client.release(!rows.readableEnded);
    });
    // Not `pipeline`: its end waits for the query's, and that of a lost connection never comes.
    return rows.pipe(text);
  }
}

/** Joins elements, rows of one column of JSON text, to an array. */
class JsonArray extends Transform {
  private chunk = '[';
  private separator = '';

  constructor() {
    super({ writableObjectMode: true });
  }

  override _transform([element]: [string], _: BufferEncoding, done: TransformCallback): void {
    this.chunk += this.separator + element;
    this.separator = ',';
    if (this.chunk.length >= CHUNK_CHARACTERS) {
      this.push(this.chunk);
      this.chunk = '';
    }
    done();
  }

  override _flush(done: TransformCallback): void {
    done(null, `${this.chunk}]`);
  }
}
