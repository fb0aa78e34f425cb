import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { migrationDataSourceOptions } from '#src/database/data-source-options.js';
import { HISTORY, OLDEST_MIGRATION } from '#src/database/history/index.js';
import { migrate, undoLastMigration } from '#src/database/migrate.js';
import { BASELINE, MIGRATIONS } from '#src/database/migrations/index.js';
import { database, databaseUrl } from '../support/database.js';

const namesOf = (migrations: readonly { name: string }[]): string[] => migrations.map(({ name }) => name);

/** Tables, columns, indexes, checks, views, functions and triggers, as the database describes them. */
const SCHEMA = `
  SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) AS line
    FROM information_schema.columns WHERE table_schema = 'public'
  UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
             WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT viewname || ' ' || definition FROM pg_views WHERE schemaname = 'public'
  UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
   ORDER BY 1`;

const LATER = MIGRATIONS.slice(BASELINE.length);

describe('a migrated database', () => {
  let url: string;
  let db: pg.Client;
  let name: string;

  beforeEach(async () => {
    name = `migrations_${randomBytes(6).toString('hex')}`;
    await database().query(`CREATE DATABASE ${name}`);
    url = Object.assign(new URL(databaseUrl()), { pathname: `/${name}` }).href;
    await migrate(url, null);
    db = new pg.Client({ connectionString: url });
    await db.connect();
  });
  afterEach(async () => {
    await db.end();
    await database().query(`DROP DATABASE ${name}`);
  });

  const linesOf = async (sql: string): Promise<string[]> =>
    (await db.query<{ line: string }>(sql)).rows.map(({ line }) => line);
  const recorded = (): Promise<string[]> => linesOf('SELECT name AS line FROM migrations ORDER BY name');
  /** In place of those that are recorded. */
  const record = async (names: readonly string[]): Promise<void> => {
    await db.query('DELETE FROM migrations');
    await db.query('INSERT INTO migrations (timestamp, name) SELECT 0, * FROM unnest($1::text[])', [names]);
  };
  /** As before the migrations that followed the baseline. */
  const undoLater = async (): Promise<void> => {
    for (const _ of LATER) await undoLastMigration(url);
  };
  const addAccount = (): Promise<pg.QueryResult> =>
    db.query(
      `INSERT INTO accounts (name, email, plan_id, country) SELECT 'A', 'a@example.com', min(id), 'DE' FROM plans`,
    );

  it('is not changed by the next start', async () => {
    const before = await linesOf(SCHEMA);
    expect((await migrate(url, null)).applied).toEqual([]);
    expect(await linesOf(SCHEMA)).toEqual(before);
    expect(await recorded()).toEqual(namesOf(MIGRATIONS).sort());
  });

  it('has the same schema as an upgraded one from before the baseline, which keeps its rows', async () => {
    const fresh = await linesOf(SCHEMA);
    await undoLater();
    const older = await new DataSource({ ...migrationDataSourceOptions(url), migrations: [] }).initialize();
    const runner = older.createQueryRunner();
    for (const Migration of [...HISTORY].reverse()) await new Migration().down(runner);
    await runner.release();
    await older.destroy();
    await record([OLDEST_MIGRATION]);
    await addAccount();
    expect(await linesOf(SCHEMA)).not.toEqual(fresh);

    expect((await migrate(url, null)).applied).toEqual(namesOf([...HISTORY, ...BASELINE, ...LATER]));
    expect(await recorded()).toEqual(namesOf(MIGRATIONS).sort());
    expect((await linesOf(SCHEMA)).sort()).toEqual(fresh.sort());
    expect(await linesOf('SELECT email AS line FROM accounts')).toEqual(['a@example.com']);
  });

  it('continues where it has run all migrations of before the baseline', async () => {
    await undoLater();
    await record([OLDEST_MIGRATION, ...namesOf(HISTORY)]);
    await addAccount();
    expect((await migrate(url, null)).applied).toEqual(namesOf(MIGRATIONS));
    expect(await recorded()).toEqual(namesOf(MIGRATIONS).sort());
    expect(await linesOf('SELECT email AS line FROM accounts')).toEqual(['a@example.com']);
  });

  it('is refused, and not touched, when it is older than can be upgraded', async () => {
    await record(['Accounts20261120000100']);
    await expect(migrate(url, null)).rejects.toThrow(OLDEST_MIGRATION);
    expect(await recorded()).toEqual(['Accounts20261120000100']);
  });

  it('replaces functions whose text has changed', async () => {
    const before = await linesOf(SCHEMA);
    await db.query(`CREATE OR REPLACE FUNCTION call_outcome(ended_reason text) RETURNS text LANGUAGE sql IMMUTABLE
                      AS 'SELECT NULL::text'`);
    await db.query(`UPDATE sql_files SET hash = '' WHERE name LIKE '%call_statistics.sql'`);
    await migrate(url, null);
    expect(await linesOf(SCHEMA)).toEqual(before);
  });

  it('can be undone migration by migration, and made again', async () => {
    const before = (await linesOf(SCHEMA)).sort();
    for (const _ of MIGRATIONS) await undoLastMigration(url);
    expect(await recorded()).toEqual([]);
    expect(await linesOf(`SELECT tablename AS line FROM pg_tables WHERE schemaname = 'public'`)).toEqual([
      'migrations',
    ]);
    expect((await migrate(url, null)).applied).toEqual(namesOf(MIGRATIONS));
    expect((await linesOf(SCHEMA)).sort()).toEqual(before);
  });
});
