import type { Pool } from 'pg';
import { EACH, inBatches } from './in-batches.js';

export const DAYS = 180;
export const ASSISTANTS = 5;
export const CAMPAIGNS = 5;
const CALLS_PER_NUMBER = 4;

/** SQL of the client's number of the `i`-th call; `$2` is the number of calls. */
const CLIENT = `'+1' || 2120000000 + abs(hashint4(i + 3)) % greatest(1, $2::int / ${CALLS_PER_NUMBER})`;

export const TRANSCRIPT = [
  'AI: Hello Ada, this is the bicycle shop. Do you have a minute?',
  'Customer: Yes, what is it about?',
  'AI: Your bicycle is ready. When would you like to collect it?',
  'Customer: Tomorrow at ten would be good, if that is possible.',
  'AI: Tomorrow at ten it is. Is there anything else that I can do for you?',
  'Customer: No, thank you. Goodbye!',
  'AI: Thank you, goodbye!',
].join('\n');

/**
 * Inserts finished calls, evenly distributed over the last half year, and in each account over five assistants and five
 * campaigns. Deterministic. The ids of assistants and campaigns start at ten times the account's id; calls have no
 * foreign keys.
 */
export async function fillCalls(pool: Pool, accounts: readonly number[], calls: number): Promise<void> {
  await inBatches(pool, calls, INSERT, [accounts, calls, TRANSCRIPT]);
  await sumTallies(pool, accounts);
  // In production autovacuum does this within half a year.
  await pool.query('VACUUM ANALYZE calls');
  await pool.query('VACUUM ANALYZE call_tallies');
}

/** The counters of calls that were inserted without triggers, in the order in which the service sums them up. */
export async function sumTallies(pool: Pool, accounts: readonly number[]): Promise<void> {
  await pool.query(
    `INSERT INTO call_tallies (account_id, day, assistant_id, campaign_id, type, status, n, is_sum)
     SELECT account_id, created_at::date, assistant_id, campaign_id, type, status, count(*), true
       FROM calls WHERE account_id = ANY($1) GROUP BY 1, 2, 3, 4, 5, 6
      ORDER BY created_at::date, account_id`,
    [accounts],
  );
}

const INSERT = `
  WITH added AS (INSERT INTO calls (account_id, assistant_id, assistant_name, campaign_id, campaign_name, type, status, token,
    carrier_sid, assistant_phone_number, client_phone_number, variables, answered_by, ended_by, ended_reason, duration,
    transcript, evaluation, price_per_minute_micros, carrier_cost_micros, total_cost_micros,
    max_duration, wrap_up_state, created_at, updated_at, answered_at, ended_at)
  SELECT account, account * 10 + assistant, 'Front desk ' || assistant, campaign_id, 'Campaign ' || (campaign_id - account * 10),
    type, status, 'bench-' || account || '-' || i, 'CA' || lpad(account || '-' || i, 32, '0'), '+14155550100', ${CLIENT},
    '{"customer_name": "Ada Lovelace", "order": "A-1042"}',
    CASE WHEN talked THEN 'human' ELSE 'unknown' END, CASE WHEN talked THEN 'customer' END,
    CASE WHEN talked THEN 'customer_hangup' END, CASE WHEN talked THEN 20 + draw ELSE 0 END,
    CASE WHEN talked THEN $3 ELSE '' END,
    CASE WHEN talked THEN '{"interested": true, "appointment": "tomorrow at ten"}'::jsonb ELSE '{}' END,
    20000, 14000, 34000, 600, 'done', at, at + interval '1 minute', at, at + interval '1 minute'
  FROM ${EACH},
  LATERAL (SELECT abs(hashint4(i)) % 100 AS draw, abs(hashint4(i + 1)) % 100 AS kind,
                  1 + abs(hashint4(i + 2)) % ${ASSISTANTS} AS assistant,
                  now() - interval '${DAYS} days' * (1 - i::float8 / $2::int) AS at) a,
  LATERAL (SELECT CASE WHEN kind < 85 THEN 'outbound' WHEN kind < 98 THEN 'inbound' ELSE 'web' END AS type,
                  CASE WHEN draw < 62 THEN 'completed' WHEN draw < 80 THEN 'no-answer'
                       WHEN draw < 90 THEN 'busy' ELSE 'failed' END AS status) b,
  LATERAL (SELECT status = 'completed' AS talked, CASE WHEN type = 'outbound'
                  THEN account * 10 + 1 + abs(hashint4(i + 4)) % ${CAMPAIGNS} END AS campaign_id) c
  RETURNING id, status)
  INSERT INTO call_webhook_responses
  SELECT id, '{"status_code": 200, "body": "ok", "attempts": 1, "error": null}' FROM added WHERE status = 'completed'`;
