import type { Pool } from 'pg';
import { fillCalls } from '../rest/fill-calls.js';
import { spreadLeads } from '../rest/fill-leads.js';
import { anAccount, type BenchAccount } from '../support/account.js';
import type { BenchDatabase } from '../support/database.js';
import { say } from '../support/progress.js';

/** Further accounts; one account has half of the rows. */
const OTHERS = 100;
const TABLES = ['calls', 'leads'];

/** A database of calls and leads of many accounts. */
export interface Installation {
  database: BenchDatabase;
  /** Has half of the rows. */
  account: BenchAccount;
  /** Duration of the fill. */
  seconds: number;
  gigabytes: Record<string, number>;
}

/** @param rows calls, and as many main leads */
export async function fillInstallation(database: BenchDatabase, rows: number): Promise<Installation> {
  const { pool } = database;
  const began = performance.now();
  const account = await anAccount(pool, 'largest');
  const accounts = [account.id];
  for (let other = 0; other < OTHERS; other++) accounts.push((await anAccount(pool, `other-${other}`)).id);
  await settings(pool, { max_wal_size: '8GB', maintenance_work_mem: '1GB', autovacuum: 'off' });
  const indexes = await dropIndexes(pool);
  await timed(`${rows} calls`, () => fillCalls(pool, accounts, rows));
  await timed(`${rows} leads`, () => spreadLeads(pool, accounts, rows));
  await timed(`${indexes.length} indexes`, async () => {
    for (const index of indexes) await pool.query(index);
  });
  await timed('statistics', () => pool.query('VACUUM ANALYZE'));
  await settings(pool, { max_wal_size: null, maintenance_work_mem: null, autovacuum: null });
  await timed('checkpoint', () => pool.query('CHECKPOINT'));
  const seconds = (performance.now() - began) / 1000;
  const gigabytes = await sizes(pool);
  say(`scale: ${rows} calls and leads in ${seconds.toFixed(0)} s, ${JSON.stringify(gigabytes)} GB`);
  return { database, account, seconds, gigabytes };
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  await work();
  say(`scale: ${what} in ${((performance.now() - began) / 1000).toFixed(0)} s`);
}

/** Of the server; null: unchanged. */
async function settings(pool: Pool, values: Record<string, string | null>): Promise<void> {
  for (const [name, value] of Object.entries(values))
    await pool.query(`ALTER SYSTEM ${value === null ? `RESET ${name}` : `SET ${name} = '${value}'`}`);
  await pool.query('SELECT pg_reload_conf()');
}

/**
 * Constraints keep their indexes. @returns the statements that recreate the others, which is faster than to maintain
 * them
 */
async function dropIndexes(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
      WHERE indrelid = ANY($1::regclass[]) AND indexrelid NOT IN (SELECT conindid FROM pg_constraint)`,
    [TABLES],
  );
  for (const { name } of rows) await pool.query(`DROP INDEX ${name}`);
  return rows.map(({ definition }) => definition);
}

async function sizes(pool: Pool): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ name: string; gigabytes: number }>(
    `SELECT 'the database' AS name, pg_database_size(current_database()) / 1e9::float8 AS gigabytes
     UNION ALL SELECT t || ' without indexes', pg_table_size(t::regclass) / 1e9::float8 FROM unnest($1::text[]) t
     UNION ALL SELECT 'indexes of ' || t, pg_indexes_size(t::regclass) / 1e9::float8 FROM unnest($1::text[]) t
     UNION ALL SELECT t, pg_total_relation_size(t::regclass) / 1e9::float8
       FROM unnest('{call_tallies,lead_counts,lead_day_counts}'::text[]) t`,
    [TABLES],
  );
  return Object.fromEntries(rows.map(({ name, gigabytes }) => [name, gigabytes]));
}
