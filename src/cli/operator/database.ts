import pg from 'pg';
import { toErrorCode, toErrorMessage } from '../output.js';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '#src/config/settings.js';
import { DataDirInUseError, lockDataDir, type DataDirLock } from '#src/embedded/data-dir-lock.js';

/** `PGCONNECT_TIMEOUT`, in seconds, is the variable of PostgreSQL's own clients. */
const connectTimeoutMs = (): number => Number(process.env.PGCONNECT_TIMEOUT ?? 5) * 1_000;

export class DatabaseUnusableError extends Error {
  constructor(
    readonly problem: string,
    readonly advice: string,
  ) {
    super(`The database ${problem} ${advice}`);
    this.name = 'DatabaseUnusableError';
  }
}

/** By SQLSTATE of a refused connection. */
const REFUSALS: Record<string, [problem: string, advice: string]> = {
  '28P01': ['refuses the user or the password.', 'Correct DATABASE_URL.'],
  '28000': ['refuses the user.', 'Correct DATABASE_URL.'],
  '3D000': ['has no such database.', 'Create it (createdb), or correct DATABASE_URL.'],
  '53300': ['has no free connection.', 'Raise max_connections, or run fewer processes.'],
};

/**
 * Runs `work` on one connection. @throws DatabaseUnusableError when there is no connection within `PGCONNECT_TIMEOUT`, by
 * default five seconds
 */
export async function withDatabaseClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs() });
  // A lost connection rejects the running statement; without a listener the event would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect().catch((error: unknown) => {
      throw unusable(url, error);
    });
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function unusable(url: string, error: unknown): DatabaseUnusableError {
  const { host, pathname } = new URL(url);
  const [problem, advice] = REFUSALS[toErrorCode(error)] ?? [
    `cannot be reached (${toErrorMessage(error)}).`,
    'Start the database, or correct DATABASE_URL.',
  ];
  return new DatabaseUnusableError(`at ${host}${pathname} ${problem}`, advice);
}

/** @throws DatabaseUnusableError when there is no database, or an empty one */
export async function requireTables(url: string): Promise<void> {
  const hasTables = await withDatabaseClient(url, async (client) => {
    const { rows } = await client.query<{ found: boolean }>(
      `SELECT to_regclass('migrations') IS NOT NULL AS found`,
    );
    return rows[0]?.found ?? false;
  });
  if (!hasTables) {
    throw new DatabaseUnusableError('has no tables.', 'Create them: npm run cli -- migrate');
  }
}

export interface OperatorDatabase {
  url: string;
  /** Of the administrator of a private server; null: the server is not private. */
  administratorUrl: string | null;
  /** True when this command started the server; then it also runs the migrations. */
  isOwn: boolean;
}

/** A service that starts or stops, or another command, holds the lock on the data directory for less than this. */
const LOCK_TIMEOUT_MS = 20_000;
const POLL_MS = 100;

/**
 * Runs `work` on the service's database: the one of the settings, the private one of a running service, or a private
 * one that is started for the duration of `work`.
 */
export async function withDatabase<T>(
  { databaseUrl, dataDir }: Pick<Settings, 'databaseUrl' | 'dataDir'>,
  work: (database: OperatorDatabase) => Promise<T>,
): Promise<T> {
  if (databaseUrl !== null) return work({ url: databaseUrl, administratorUrl: null, isOwn: false });
  // One command at a time: another one might stop the server that this one uses.
  const lock = await withRetry(() => lockDataDir(join(dataDir, 'cli')));
  try {
    return await withPrivateDatabase(dataDir, work);
  } finally {
    lock.release();
  }
}

async function withPrivateDatabase<T>(
  dataDir: string,
  work: (database: OperatorDatabase) => Promise<T>,
): Promise<T> {
  const { findRunningPostgres, startEmbeddedPostgres } = await import('#src/embedded/embedded-postgres.js');
  const { findServiceRole, openServiceRole } = await import('#src/embedded/service-role.js');
  const found = await withRetry(() => findRunningPostgres(dataDir)?.url ?? lockDataDir(dataDir));
  if (typeof found === 'string')
    return await work({ url: findServiceRole(found, dataDir), administratorUrl: found, isOwn: false });
  const leave = (): never => process.exit(130);
  process.once('SIGINT', leave);
  try {
    const postgres = await startEmbeddedPostgres({
      dataDir,
      log: (line) => process.stderr.write(`${line}\n`),
    });
    const run = async (): Promise<T> =>
      work({
        url: await openServiceRole(postgres.url, dataDir),
        administratorUrl: postgres.url,
        isOwn: true,
      });
    return await run().finally(() => postgres.stop());
  } finally {
    process.removeListener('SIGINT', leave);
    found.release();
  }
}

/** Retries while another process holds the lock. @throws DataDirInUseError after the timeout */
async function withRetry<T extends string | DataDirLock>(take: () => T): Promise<T> {
  const deadline = performance.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    try {
      return take();
    } catch (error) {
      if (!(error instanceof DataDirInUseError) || performance.now() > deadline) throw error;
      await sleep(POLL_MS);
    }
  }
}
