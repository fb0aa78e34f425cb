import type { Pool } from 'pg';
import { fillCalls } from '../rest/fill-calls.js';
import { spreadLeads } from '../rest/fill-leads.js';
import { anAccount, type BenchAccount } from '../support/account.js';
import type { BenchDatabase } from '../support/database.js';
import { fillFast, timed } from '../support/fill-fast.js';
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
  await fillFast(pool, TABLES, async () => {
    await timed(`${rows} calls`, () => fillCalls(pool, accounts, rows));
    await timed(`${rows} leads`, () => spreadLeads(pool, accounts, rows));
  });
  const seconds = (performance.now() - began) / 1000;
  const gigabytes = await sizes(pool);
  say(`scale: ${rows} calls and leads in ${seconds.toFixed(0)} s, ${JSON.stringify(gigabytes)} GB`);
  return { database, account, seconds, gigabytes };
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
