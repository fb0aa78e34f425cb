import type { Pool, PoolClient } from 'pg';
import {
  FIGURE_SUMS_SQL,
  STATISTICS_FIGURES,
  statisticsRowsSql,
} from '#src/modules/calls/analytics/call-statistics.js';
import { SANDBOX_ACCOUNT_SID } from '../../sandbox/defaults.js';
import { sumTallies, TRANSCRIPT } from '../rest/fill-calls.js';
import { inBatches } from '../rest/in-batches.js';
import { fillFast, timed } from '../support/fill-fast.js';
import { ADDED_ROWS } from './contents-of-calls.js';

export const YEAR_DAYS = 365;

/** Whose calls are removed. The last assistant has a twentieth of the calls. */
export interface Customer {
  accountId: number;
  assistantIds: number[];
}

/** Numbers of calls, evenly distributed over the days before `until`. */
interface Calls {
  first: number;
  count: number;
  until: Date;
  days: number;
}

/** Without their triggers, which take an hour for a million calls; what they write is counted at the end. */
export async function fillYear(
  pool: Pool,
  customer: Customer,
  tables: readonly string[],
  count: number,
): Promise<void> {
  const calls = { first: 1, count, until: new Date(), days: YEAR_DAYS };
  await fillFast(pool, tables, async () => {
    await timed(`${count} calls of a year`, () => inBatches(pool, count, ADD_CALLS, values(customer, calls)));
    for (const [table, add] of Object.entries({ ...ADDED_ROWS, recordings: ADD_RECORDINGS }))
      await timed(table, () => inBatches(pool, count, add, [customer.accountId]));
    await timed('statistics of calls', () => sumStatistics(pool, customer.accountId));
  });
}

/** The calls of a day with all rows but live events, which are deleted after an hour. */
export async function addDay(pool: Pool, customer: Customer, first: number, count: number): Promise<void> {
  const calls = { first, count, until: new Date(), days: 1 / 24 };
  const client = await pool.connect();
  const last = first + count - 1;
  try {
    await client.query('BEGIN');
    await client.query(ADD_CALLS, [...values(customer, calls), first, last]);
    await client.query('SET LOCAL session_replication_role = replica');
    await addContents(client, customer.accountId, first, last);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

async function addContents(
  client: PoolClient,
  accountId: number,
  first: number,
  last: number,
): Promise<void> {
  for (const add of Object.values(ADDED_ROWS)) await client.query(add, [accountId, first, last]);
}

const values = (
  { accountId, assistantIds }: Customer,
  { first, count, until, days }: Calls,
): readonly unknown[] => [accountId, assistantIds, first, count, until, days, TRANSCRIPT];

/** The ids are the numbers. Values of the evaluation: a boolean, and one of five texts. `$8` and `$9`: first and last number. */
const ADD_CALLS = `
  INSERT INTO calls (id, account_id, assistant_id, assistant_name, campaign_id, campaign_name, type, status, token,
    carrier_sid, assistant_phone_number, client_phone_number, variables, answered_by, ended_by, ended_reason, duration,
    transcript, evaluation, evaluation_plan, response_counts, recording_url, price_per_minute_micros,
    carrier_cost_micros, total_cost_micros, max_duration, wrap_up_state, created_at, updated_at, answered_at, ended_at)
    OVERRIDING SYSTEM VALUE
  SELECT i, $1::int, ($2::int[])[place], 'Front desk ' || place, campaign, 'Campaign ' || campaign, type, 'completed',
    'year-' || i, 'CA' || lpad(i::text, 32, '0'), '+14155550100', '+1' || 2120000000 + abs(hashint4(i + 3)) % 250000,
    jsonb_build_object('customer_name', 'Ada Lovelace', 'order', i), 'human', 'customer', 'customer_hangup', 20 + draw,
    $7::text || E'\\nCustomer: My order is ' || i,
    jsonb_build_object('interested', draw < 50, 'mood', 'mood ' || draw % 5),
    '{"model": "m", "schema": [{"name": "interested", "type": "bool"}, {"name": "mood", "type": "string"}]}',
    '{0,1,1,0,0,0,0,0,0,0,0,0}',
    CASE WHEN draw < 2 THEN 'https://api.twilio.com/2010-04-01/Accounts/${SANDBOX_ACCOUNT_SID}/Recordings/RE'
                            || lpad(to_hex(i), 32, '0') END,
    20000, 14000, 34000, 600, 'done', at, at + interval '1 minute', at, at + interval '1 minute'
  FROM generate_series($8::int, $9::int) i,
  LATERAL (SELECT abs(hashint4(i)) % 100 AS draw, abs(hashint4(i + 1)) % 100 AS kind,
                  $5::timestamptz - make_interval(secs => 86400 * $6::float8 * (1 - (i - $3::int + 1)::float8 / $4::int))
                    - interval '1 minute' AS at) a,
  LATERAL (SELECT CASE WHEN kind < 85 THEN 'outbound' WHEN kind < 98 THEN 'inbound' ELSE 'web' END AS type,
                  CASE WHEN draw % 20 = 7 THEN cardinality($2::int[])
                       ELSE 1 + abs(hashint4(i + 2)) % (cardinality($2::int[]) - 1) END AS place) b,
  LATERAL (SELECT CASE WHEN type = 'outbound' THEN $1::int * 10 + 1 + abs(hashint4(i + 4)) % 5 END AS campaign) c`;

/** A trigger adds those of the calls of a day. */
const ADD_RECORDINGS = `
  INSERT INTO recordings (account_id, call_id, carrier_url, state)
  SELECT account_id, id, recording_url, 'kept' FROM calls
   WHERE account_id = $1::int AND id BETWEEN $2::int AND $3::int AND recording_url IS NOT NULL`;

async function sumStatistics(pool: Pool, accountId: number): Promise<void> {
  await sumTallies(pool, [accountId]);
  await pool.query(
    `INSERT INTO call_stat_values (account_id, dimension, key)
     SELECT DISTINCT account_id, 'evaluation:' || e.key, e.value
       FROM (SELECT account_id, evaluation FROM calls WHERE account_id = $1 ORDER BY id LIMIT 1000) AS calls,
            jsonb_each_text(evaluation) AS e`,
    [accountId],
  );
  const keys = 'account_id, dimension, hour, key';
  // The sum of each response time takes longer than all others; each call has the same.
  const responses = `ARRAY[0, sum(n), sum(n), 0, 0, 0, 0, 0, 0, 0, 0, 0]`;
  await pool.query(
    `INSERT INTO call_stats (${keys}, ${STATISTICS_FIGURES.join(', ')}, responses)
     SELECT ${keys}, ${FIGURE_SUMS_SQL}, ${responses}
       FROM ${statisticsRowsSql('(SELECT * FROM counted_calls WHERE account_id = $1)')} AS rows GROUP BY ${keys}
      ORDER BY ${keys}`,
    [accountId],
  );
}
