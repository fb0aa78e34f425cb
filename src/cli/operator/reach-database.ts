import pg from 'pg';
import { codeOf, messageOf } from '../explain-error.js';

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
