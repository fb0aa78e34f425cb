import { isDeepStrictEqual } from 'node:util';
import type { Pool } from 'pg';
import { statisticsRowsSql } from '#src/modules/calls/analytics/call-statistics.js';
import { say } from '../support/progress.js';
import { checkSumsSql, cutOffValues, KEPT_ROWS, type CutOffs } from './kept-rows.js';

interface CheckSums {
  staying: number;
  removed: number;
  stays: string | null;
  /** Null: the others are deleted. */
  rest: string | null;
  due: number;
}

/** What a pass must not change, and what it has to remove, counted anew from the rows. */
export interface Snapshot {
  tables: Record<string, CheckSums>;
  /** Sums of the statistics, the costs and the ledger. */
  sums: Record<string, unknown[]>;
}

/** What two snapshots of a pass say of it. */
export interface Differences {
  /** Rows that were to be removed and still have contents. */
  left: number;
  /** Tables with a row that was to stay and has changed, or with a change of what the others keep. */
  changed: number;
  /** Sums that have changed. */
  sums: number;
}

const SUMS = {
  statistics: `
    SELECT dimension, sum(n) AS n, sum(connected) AS connected, sum(answered) AS answered, sum(seconds) AS seconds,
           sum(cost_micros) AS cost_micros, sum(evaluated) AS evaluated, sum(succeeded) AS succeeded
      FROM (SELECT account_id, dimension, n, connected, answered, seconds, cost_micros, evaluated, succeeded FROM call_stats
            UNION ALL
            SELECT account_id, dimension, n, connected, answered, seconds, cost_micros, evaluated, succeeded
              FROM ${statisticsRowsSql('call_stat_changes')} AS fresh) AS rows
     WHERE account_id = $1 GROUP BY dimension ORDER BY dimension`,
  costs: `
    SELECT (SELECT sum(total_cost_micros) FROM calls WHERE account_id = $1) AS calls,
           (SELECT sum(total_cost_micros) FROM chats WHERE account_id = $1) AS chats,
           (SELECT sum(total_cost_micros) FROM sms_messages WHERE account_id = $1) AS sms`,
  ledger: `
    SELECT balance_micros, (SELECT count(*) FROM ledger_entries WHERE account_id = $1) AS entries,
           (SELECT sum(amount_micros) FROM ledger_entries WHERE account_id = $1) AS amounts
      FROM accounts WHERE id = $1`,
  tallies: `SELECT status, sum(n) AS n FROM call_tallies WHERE account_id = $1 GROUP BY status ORDER BY status`,
};

export async function takeSnapshot(pool: Pool, cutOffs: CutOffs): Promise<Snapshot> {
  const tables: Snapshot['tables'] = {};
  for (const [table, rows] of Object.entries(KEPT_ROWS)) {
    const { rows: found } = await pool.query<CheckSums>(checkSumsSql(rows), cutOffValues(cutOffs));
    if (found[0]) tables[table] = found[0];
  }
  const sums: Snapshot['sums'] = {};
  for (const [name, sql] of Object.entries(SUMS))
    sums[name] = (await pool.query(sql, [cutOffs.accountId])).rows;
  return { tables, sums };
}

/** Of a table whose rows are deleted, the others are gone afterwards. */
export function compare(before: Snapshot, after: Snapshot): Differences {
  const found: Differences = { left: 0, changed: 0, sums: 0 };
  for (const [table, now] of Object.entries(after.tables)) {
    const former = before.tables[table];
    const isSame =
      former?.stays === now.stays && former?.rest === now.rest && former?.staying === now.staying;
    if (!isSame) found.changed++;
    found.left += now.due;
    if (!isSame || now.due > 0) say(`  ${table}: ${JSON.stringify(former)}, then ${JSON.stringify(now)}`);
  }
  for (const [name, now] of Object.entries(after.sums)) {
    if (isDeepStrictEqual(before.sums[name], now)) continue;
    found.sums++;
    say(`  ${name}: ${JSON.stringify(before.sums[name])}, then ${JSON.stringify(now)}`);
  }
  return found;
}
