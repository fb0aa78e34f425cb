import type { Pool } from 'pg';
import { CAMPAIGNS, DAYS } from './fill-calls.js';
import { EACH, inBatches } from './in-batches.js';

/** Inserts main leads into one campaign, every fifth with a secondary contact. */
export async function fillLeads(
  pool: Pool,
  accountId: number,
  campaignId: number,
  leads: number,
): Promise<void> {
  await pool.query(
    `WITH main AS (
       INSERT INTO leads (account_id, campaign_id, phone_number, variables, created_at)
       SELECT $1, $2, '+1' || 2130000000 + i,
              jsonb_build_object('customer_name', 'Ada', 'order', i),
              now() - interval '1 second' * ($3::int - i)
         FROM generate_series(1, $3::int) i
       RETURNING id, phone_number)
     INSERT INTO leads (account_id, campaign_id, main_lead_id, phone_number, variables)
     SELECT $1, $2, id, '+1' || 2140000000 + id, '{"customer_name": "Grace Hopper"}' FROM main WHERE id % 5 = 0`,
    [accountId, campaignId, leads],
  );
  await pool.query('VACUUM ANALYZE leads');
}

/**
 * Inserts main leads with their campaigns, five in each account, whose ids are those of `fillCalls`. Evenly distributed over
 * the last half year; every tenth lead has a secondary contact. Deterministic.
 */
export async function spreadLeads(pool: Pool, accounts: readonly number[], leads: number): Promise<void> {
  await inBatches(pool, 1, ADD_CAMPAIGNS, [accounts, leads, CAMPAIGNS]);
  await inBatches(pool, leads, ADD_LEADS, [accounts, leads, CAMPAIGNS]);
  for (const [table, day] of [
    ['lead_counts', ''],
    ['lead_day_counts', `day, `],
  ] as const)
    await pool.query(
      `INSERT INTO ${table} (${day}campaign_id, part, status, n)
       SELECT ${day}campaign_id, 0, status, count(*)
         FROM (SELECT campaign_id, status, created_at::date AS day FROM leads
                WHERE main_lead_id IS NULL AND account_id = ANY($1)) lead GROUP BY ${day}campaign_id, status
        ORDER BY ${day}campaign_id`,
      [accounts],
    );
  await pool.query('VACUUM ANALYZE leads');
  await pool.query('VACUUM ANALYZE lead_counts');
  await pool.query('VACUUM ANALYZE lead_day_counts');
}

/** Their assistants have no rows. */
const ADD_CAMPAIGNS = `
  INSERT INTO campaigns (id, account_id, assistant_id, name, timezone, max_calls_in_parallel, allowed_hours_start_time,
    allowed_hours_end_time, allowed_days, max_retries, retry_interval, retry_on_voicemail, retry_on_goal_incomplete,
    mark_complete_when_no_leads, phone_number_ids) OVERRIDING SYSTEM VALUE
  SELECT account * 10 + n, account, account * 10 + 1, 'Campaign ' || n, 'America/New_York', 10, '00:00', '23:59',
    '{monday}', 1, 60, false, false, true, '{}'
    FROM unnest($1::int[]) account, generate_series(1, $3::int) n WHERE $2::int > 0 AND $4::int = $5::int`;

const ADD_LEADS = `
  WITH main AS (
    INSERT INTO leads (account_id, campaign_id, phone_number, variables, status, zone, due_at, created_at, updated_at)
    SELECT account, account * 10 + 1 + abs(hashint4(i)) % $3::int, '+1' || 2130000000 + i,
           jsonb_build_object('customer_name', 'Ada', 'order', i),
           CASE WHEN kind < 30 THEN 'created' WHEN kind < 80 THEN 'completed' WHEN kind < 95 THEN 'reached-max-retries'
                ELSE 'blacklisted' END,
           (ARRAY['America/New_York@US', 'America/Chicago@US'])[1 + i % 2], at, at, at
      FROM ${EACH},
      LATERAL (SELECT abs(hashint4(i + 5)) % 100 AS kind,
                      now() - interval '${DAYS} days' * (1 - i::float8 / $2::int) AS at) a
    RETURNING id, account_id, campaign_id)
  INSERT INTO leads (account_id, campaign_id, main_lead_id, phone_number)
  SELECT account_id, campaign_id, id, '+1' || 2150000000 + id FROM main WHERE id % 10 = 0`;
