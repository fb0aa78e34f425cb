import type { Pool } from 'pg';

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
