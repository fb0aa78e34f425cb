import { rmSync } from 'node:fs';
import pg from 'pg';
import { startEmbeddedPostgres } from '#src/embedded/embedded-postgres.js';
import { migrate } from '#src/database/migrate.js';
import { parentOf } from '../../faults/support/cpu-meter.js';
import { makeDataDir } from './data-dir.js';
import { say } from './progress.js';

/** A temporary database with the service's tables. */
export interface BenchDatabase {
  url: string;
  /** Data directory for other processes. */
  dataDir: string;
  pool: pg.Pool;
  /** Process id of the server; its child processes serve the connections. */
  serverPid(): Promise<number>;
  close(): Promise<void>;
}

export async function openDatabase(): Promise<BenchDatabase> {
  const dataDir = makeDataDir();
  const postgres = await startEmbeddedPostgres({ dataDir, log: say });
  await migrate(postgres.url, null);
  const pool = new pg.Pool({ connectionString: postgres.url, max: 2 });
  // The server may end a connection before the client's Terminate message.
  pool.on('error', () => undefined);
  return {
    url: postgres.url,
    dataDir,
    pool,
    serverPid: async () => {
      const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const server = parentOf(rows[0]?.pid ?? 0);
      if (server === null) throw new Error('the process of a database connection has no parent');
      return server;
    },
    close: async () => {
      await pool.end();
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
