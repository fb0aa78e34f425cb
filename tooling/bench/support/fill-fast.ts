import type { Pool } from 'pg';
import { say } from './progress.js';

/**
 * Fills tables without their indexes, and without autovacuum: for millions of rows. Then has statistics, an empty
 * write-ahead log and the server's own settings.
 */
export async function fillFast(
  pool: Pool,
  tables: readonly string[],
  fill: () => Promise<void>,
): Promise<void> {
  await settings(pool, { max_wal_size: '8GB', maintenance_work_mem: '1GB', autovacuum: 'off' });
  const indexes = await dropIndexes(pool, tables);
  await fill();
  await timed(`${indexes.length} indexes`, async () => {
    for (const index of indexes) await pool.query(index);
  });
  await timed('statistics', () => pool.query('VACUUM ANALYZE'));
  await settings(pool, { max_wal_size: null, maintenance_work_mem: null, autovacuum: null });
  await timed('checkpoint', () => pool.query('CHECKPOINT'));
}

/** Prints the time that it took. */
export async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  await work();
  say(`  ${what} in ${((performance.now() - began) / 1000).toFixed(0)} s`);
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
async function dropIndexes(pool: Pool, tables: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
      WHERE indrelid = ANY($1::regclass[]) AND indexrelid NOT IN (SELECT conindid FROM pg_constraint)`,
    [tables],
  );
  for (const { name } of rows) await pool.query(`DROP INDEX ${name}`);
  return rows.map(({ definition }) => definition);
}
