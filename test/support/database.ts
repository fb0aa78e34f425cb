import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

let pool: pg.Pool | undefined;
let poolUrl: string | undefined;

/** The database of the service under test. A fault run of several parts has one after the other. */
export function database(): pg.Pool {
  const { E2E_DATABASE_URL } = process.env;
  if (E2E_DATABASE_URL !== poolUrl) pool = undefined;
  poolUrl = E2E_DATABASE_URL;
  pool ??= new pg.Pool({ connectionString: databaseUrl(), max: 2, allowExitOnIdle: true });
  // A fault run restarts the database; the next query takes a new connection.
  if (pool.listenerCount('error') === 0) pool.on('error', () => undefined);
  return pool;
}

export function databaseUrl(): string {
  if (process.env.E2E_DATABASE_URL) return process.env.E2E_DATABASE_URL;
  const record = readFileSync(join(process.env.E2E_DATA_DIR ?? '.data', 'postgres.json'), 'utf8');
  return (JSON.parse(record) as { url: string }).url;
}

/** Every row of every table as text; bytes are hexadecimal in it. */
export async function everyRow(): Promise<string> {
  const { rows: tables } = await database().query<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await database().query<{ text: string }>(
        `SELECT coalesce(string_agg(row::text, chr(10)), '') AS text FROM ${name} row`,
      );
      return rows[0]?.text ?? '';
    }),
  );
  return texts.join('\n');
}
