import type { Pool } from 'pg';
import { atMost, noted, type Finding } from '../support/findings.js';
import { say } from '../support/progress.js';

/** Tables from which passes remove, or to which triggers of a removal write. */
export const TABLES = [
  'calls',
  'call_turns',
  'call_tool_runs',
  'call_webhook_responses',
  'recordings',
  'webhook_deliveries',
  'webhook_attempts',
  'chats',
  'chat_turns',
  'sms_messages',
  'call_stats',
] as const;

const MOST = 1.3;
const MEGABYTE = 1024 * 1024;

export interface TableSize {
  /** With indexes and long values. */
  megabytes: number;
  indexes: number;
  live: number;
  dead: number;
  vacuums: number;
}

export async function tableSizes(pool: Pool): Promise<Record<string, TableSize>> {
  const { rows } = await pool.query<TableSize & { name: string }>(
    `SELECT relname AS name, pg_total_relation_size(relid) / $2::float8 AS megabytes,
            pg_indexes_size(relid) / $2::float8 AS indexes, n_live_tup::int AS live, n_dead_tup::int AS dead,
            autovacuum_count::int AS vacuums
       FROM pg_stat_user_tables WHERE relname = ANY($1)`,
    [TABLES, MEGABYTE],
  );
  return Object.fromEntries(rows.map(({ name, ...size }) => [name, size]));
}

/** Of as many rows as there are now, where there are more: calls, turns and texts of the days of a run are added. */
const sizeOfRows = (before: TableSize, now: TableSize): number =>
  before.megabytes * Math.max(1, now.live / Math.max(1, before.live));

/** The space of removed rows is used again: a table is not much larger than as many rows were before. */
export function compareSizes(
  filled: Record<string, TableSize>,
  now: Record<string, TableSize>,
  days: number,
): Finding[] {
  return TABLES.flatMap((table) => {
    const [before, after] = [filled[table], now[table]];
    if (!before || !after) throw new Error(`${table} has no size`);
    say(`  ${table}: ${JSON.stringify(before)}, then ${JSON.stringify(after)}`);
    return [
      atMost(`size of ${table} after ${days} days`, 'MB', MOST, {
        peer: sizeOfRows(before, after),
        own: after.megabytes,
      }),
      noted(`dead rows of ${table}, of all`, '', after.dead / Math.max(1, after.dead + after.live)),
    ];
  });
}
