import pg from 'pg';
import { codeOf, messageOf } from '../output.js';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '#src/config/settings.types.js';
import { DataDirInUseError, lockDataDir, type DataDirLock } from '#src/embedded/data-dir-lock.js';

const CONNECT_TIMEOUT_MS = 5_000;

/** Why a database cannot be used, and what to do about it. */
export class DatabaseUnusable extends Error {
  constructor(
    readonly problem: string,
    readonly advice: string,
  ) {
    super(`The database ${problem} ${advice}`);
    this.name = 'DatabaseUnusable';
  }
}

/** SQLSTATE of a refused connection → what is wrong and what helps. */
const REFUSALS: Record<string, [problem: string, advice: string]> = {
  '28P01': ['refuses the user or the password.', 'Correct DATABASE_URL.'],
  '28000': ['refuses the user.', 'Correct DATABASE_URL.'],
  '3D000': ['has no such database.', 'Create it (createdb), or correct DATABASE_URL.'],
  '53300': ['has no free connection.', 'Raise max_connections, or run fewer processes.'],
};

/** Runs the work on one connection. @throws DatabaseUnusable when there is none to be had within five seconds */
export async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // A connection that breaks later fails the statement that runs on it.
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

function unusable(url: string, error: unknown): DatabaseUnusable {
  const { host, pathname } = new URL(url);
  const [problem, advice] = REFUSALS[codeOf(error)] ?? [
    `cannot be reached (${messageOf(error)}).`,
    'Start the database, or correct DATABASE_URL.',
  ];
  return new DatabaseUnusable(`at ${host}${pathname} ${problem}`, advice);
}

/** @throws DatabaseUnusable when there is no database, or an empty one */
export async function requireTables(url: string): Promise<void> {
  const hasTables = await onDatabase(url, async (client) => {
    const { rows } = await client.query<{ found: boolean }>(
      `SELECT to_regclass('accounts') IS NOT NULL AS found`,
    );
    return rows[0]?.found ?? false;
  });
  if (!hasTables) {
    throw new DatabaseUnusable('has no tables.', 'Make them: npm run cli -- migrate');
  }
}

export interface OperatorDatabase {
  url: string;
  /** Started for this command: nobody but us has brought its tables up to date. */
  isOwn: boolean;
}

/** A service that starts or stops, or another command, has the data directory for no longer than this. */
const TIMEOUT_MS = 20_000;
const POLL_MS = 100;

/**
 * Runs the work on the service's database: the one of the settings, the private one of a running service, or a
 * private one that is started for as long as the work takes.
 */
export async function withDatabase<T>(
  { databaseUrl, dataDir }: Pick<Settings, 'databaseUrl' | 'dataDir'>,
  work: (database: OperatorDatabase) => Promise<T>,
): Promise<T> {
  if (databaseUrl !== null) return work({ url: databaseUrl, isOwn: false });
  // Commands take turns: one must not use the server that another one is about to stop.
  const turn = await patiently(() => lockDataDir(join(dataDir, 'cli')));
  try {
    return await withPrivateDatabase(dataDir, work);
  } finally {
    turn.release();
  }
}

async function withPrivateDatabase<T>(
  dataDir: string,
  work: (database: OperatorDatabase) => Promise<T>,
): Promise<T> {
  const { findRunningPostgres, startEmbeddedPostgres } = await import('#src/embedded/embedded-postgres.js');
  const found = await patiently(() => findRunningPostgres(dataDir)?.url ?? lockDataDir(dataDir));
  if (typeof found === 'string') return work({ url: found, isOwn: false });
  const leave = (): never => process.exit(130);
  process.once('SIGINT', leave);
  try {
    const postgres = await startEmbeddedPostgres({
      dataDir,
      log: (line) => process.stderr.write(`${line}\n`),
    });
    return await work({ url: postgres.url, isOwn: true }).finally(() => postgres.stop());
  } finally {
    process.removeListener('SIGINT', leave);
    found.release();
  }
}

/** Tries again while another process holds what is wanted. @throws DataDirInUseError when that takes too long */
async function patiently<T extends string | DataDirLock>(take: () => T): Promise<T> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    try {
      return take();
    } catch (error) {
      if (!(error instanceof DataDirInUseError) || performance.now() > deadline) throw error;
      await sleep(POLL_MS);
    }
  }
}
