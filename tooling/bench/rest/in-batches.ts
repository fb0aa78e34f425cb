import type { Pool } from 'pg';

/** Rows per transaction: bounds the memory of its triggers and the write-ahead log. */
const BATCH = 500_000;

/**
 * FROM clause with the number `i` of each row and its `account` from the array `$1`: every second row belongs to the
 * first account, the others are distributed evenly. `$4` and `$5` are the batch's first and last number.
 */
export const EACH = `generate_series($4::int, $5::int) i,
  LATERAL (SELECT ($1::int[])[1 + CASE WHEN cardinality($1::int[]) = 1 OR i % 2 = 0 THEN 0
                                       ELSE 1 + i / 2 % greatest(1, cardinality($1::int[]) - 1) END] AS account) owner`;

/** Inserts rows without triggers, which take minutes for a million rows; the caller fills the counters. */
export async function inBatches(
  pool: Pool,
  count: number,
  insert: string,
  values: readonly unknown[],
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('SET session_replication_role = replica; SET synchronous_commit = off');
    for (let first = 1; first <= count; first += BATCH)
      await client.query(insert, [...values, first, Math.min(count, first + BATCH - 1)]);
  } finally {
    await client.query('RESET session_replication_role; RESET synchronous_commit');
    client.release();
  }
}
