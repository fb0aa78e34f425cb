import type { EntityManager } from 'typeorm';
import type { AuditFinding } from '../../accounts/ledger-audit.service.js';
import {
  STATISTICS_FIGURES,
  RESPONSE_TIME_SUMS_SQL,
  statisticsRowsSql,
  FIGURE_SUMS_SQL,
} from './call-statistics.js';

const LIMIT = 100;
const KEYS = 'account_id, dimension, hour, key';
const NAMES = [...STATISTICS_FIGURES, 'responses'];
const row = (alias: string): string => NAMES.map((name) => `${alias}.${name}`).join(', ');
/** SQL of rows that count nothing, the rest of deleted calls. */
const NOTHING = `n = 0 AND connected = 0 AND seconds = 0 AND cost_micros = 0 AND evaluated = 0
  AND NOT EXISTS (SELECT FROM unnest(responses) AS counted WHERE counted <> 0)`;

const grouped = (rows: string): string =>
  `SELECT * FROM (SELECT ${KEYS}, ${FIGURE_SUMS_SQL}, ${RESPONSE_TIME_SUMS_SQL} AS responses FROM ${rows} AS rows GROUP BY ${KEYS}) AS sums
    WHERE NOT (${NOTHING})`;

const COUNTS_OF_CALLS = grouped(statisticsRowsSql('counted_calls'));
const STATISTICS = grouped(`(SELECT ${KEYS}, ${NAMES.join(', ')} FROM call_stats
  UNION ALL SELECT ${KEYS}, ${NAMES.join(', ')} FROM ${statisticsRowsSql('call_stat_changes')} AS fresh)`);

/** Recounts all calls and compares. Uncounted calls are in neither. */
export async function findStatisticsDifferences(tx: EntityManager): Promise<AuditFinding[]> {
  const rows: { account_id: number; dimension: string; key: string; hour: Date }[] = await tx.query(
    `SELECT account_id, dimension, key, hour
       FROM (${COUNTS_OF_CALLS}) AS counted FULL JOIN (${STATISTICS}) AS kept USING (${KEYS})
      WHERE (${row('counted')}) IS DISTINCT FROM (${row('kept')}) ORDER BY account_id, hour, dimension, key LIMIT ${LIMIT}`,
  );
  return rows.map(({ account_id: accountId, dimension, key, hour }) => ({
    accountId,
    kinds: null,
    reference: null,
    problem: `the statistics of ${hour.toISOString()} by ${dimension} "${key}" differ from a recount of the calls`,
  }));
}
