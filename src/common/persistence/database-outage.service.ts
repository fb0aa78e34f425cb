import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { isDatabaseUnavailable, databaseErrorCode } from './database-unavailable.js';
import { DisconnectSafeClient } from './disconnect-safe-client.js';

/** Shorter than a health check waits. */
const ANSWER_MS = 1_500;
const ASK_AGAIN_MS = 500;
/** Work that began before an outage may fail for this long after its end. */
const AFTERMATH_MS = 15_000;

/**
 * Checks whether the database answers, on a separate connection, because a full pool is not an outage. An outage is
 * logged with one line at its begin and one at its end, however many requests and loops fail.
 */
@Injectable()
export class DatabaseOutageService implements OnApplicationShutdown {
  private readonly logger = new Logger(DatabaseOutageService.name);
  private readonly pool: pg.Pool;
  private asking: Promise<unknown> | null = null;
  private watching = false;
  private stopped = false;
  private toldAt = -Infinity;

  constructor(databaseUrl: string) {
    const config = {
      Client: DisconnectSafeClient,
      connectionString: databaseUrl,
      application_name: 'calls-health',
      max: 1,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      allowExitOnIdle: true,
    };
    this.pool = new pg.Pool(config);
    this.pool.on('error', () => undefined);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.pool.end();
  }

  /** Concurrent callers share one check. */
  async isReachable(): Promise<boolean> {
    return (await this.problem()) === null;
  }

  /**
   * Reports an error that may be a database outage.
   * @returns true: it is one, and is logged here
   */
  reportOutage(error: unknown): boolean {
    if (!isDatabaseUnavailable(error)) return false;
    this.begin(databaseErrorCode(error));
    return true;
  }

  private begin(reason: string): void {
    if (this.watching || this.stopped) return;
    this.watching = true;
    void this.watch(reason).finally(() => (this.watching = false));
  }

  /** Ends when the database answers. */
  private async watch(reason: string): Promise<void> {
    const since = performance.now();
    if ((await this.problem()) === null) {
      if (since - this.toldAt < AFTERMATH_MS) return;
      this.toldAt = since;
      return this.logger.warn(`A connection to the database broke (${reason}); the database responds`);
    }
    this.logger.error(`The database does not respond (${reason}): requests get 503, work waits in its rows`);
    while (!this.stopped && (await this.problem()) !== null) {
      await sleep(ASK_AGAIN_MS, undefined, { ref: false });
    }
    if (this.stopped) return;
    this.toldAt = performance.now();
    const seconds = Math.round((this.toldAt - since) / 1000);
    this.logger.log(`The database responds again, after ${seconds} s`);
  }

  private async problem(): Promise<unknown> {
    this.asking ??= this.pool
      .query('SELECT 1')
      .then(
        () => null,
        (error: unknown) => error,
      )
      .finally(() => (this.asking = null));
    return this.asking;
  }
}
