import pg from 'pg';
import { databaseUrl } from './database.js';

/** A transaction of the shared database that keeps its locks until it is released, and who waits for it. */
export class HeldRows {
  private constructor(
    private readonly holder: pg.Client,
    private readonly observer: pg.Client,
    private readonly pid: number,
  ) {}

  static async take(sql: string, values: unknown[]): Promise<HeldRows> {
    const [holder, observer] = await Promise.all([connect(), connect()]);
    await holder.query('BEGIN');
    await holder.query(sql, values);
    const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return new HeldRows(holder, observer, rows[0]?.pid ?? 0);
  }

  /** Connections that wait for its locks, and those that wait for one of these. */
  async countWaiting(): Promise<number> {
    const { rows } = await this.observer.query<{ n: number }>(
      `WITH first AS MATERIALIZED (
         SELECT pid FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid)))
       SELECT count(*)::int AS n FROM pg_stat_activity
        WHERE pid IN (SELECT pid FROM first) OR pg_blocking_pids(pid) && ARRAY(SELECT pid FROM first)`,
      [this.pid],
    );
    return rows[0]?.n ?? 0;
  }

  async release(): Promise<void> {
    await this.holder.query('ROLLBACK');
    await Promise.all([this.holder.end(), this.observer.end()]);
  }
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl() });
  await client.connect();
  return client;
}
