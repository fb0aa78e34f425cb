/**
 * The minimum cost of dialling: one connection, one transaction for 25 calls, prepared statements, no service, no
 * carrier. It has the locks and the checks of a dialler, but no rules of time.
 */
import pg from 'pg';

const BATCH = 25;

export interface BareDialler {
  perSecond: number;
  /** Duration of the account's lock in each transaction. */
  holdMs: number[];
}

/** Dials this number of leads of a new campaign of a new account. */
export async function bareDialler(connectionString: string, leads: number): Promise<BareDialler> {
  const client = new pg.Client({ connectionString, options: '-c timezone=UTC' });
  await client.connect();
  try {
    const { accountId, campaignId } = await prepare(client, leads);
    const holdMs: number[] = [];
    const started = performance.now();
    let placed = 0;
    for (let count = BATCH; count === BATCH; placed += count) {
      const began = performance.now();
      count = await dial(client, accountId, campaignId);
      holdMs.push(performance.now() - began);
    }
    return { perSecond: (placed * 1000) / (performance.now() - started), holdMs };
  } finally {
    await client.end();
  }
}

async function dial(client: pg.Client, accountId: number, campaignId: number): Promise<number> {
  await client.query('BEGIN');
  await client.query({ name: 'lock', text: LOCK, values: [accountId] });
  const { rows } = await client.query<{ id: number }>({
    name: 'candidates',
    text: CANDIDATES,
    values: [accountId, campaignId, BATCH],
  });
  if (rows.length > 0) {
    await client.query({ name: 'write', text: WRITE, values: [accountId, campaignId, JSON.stringify(rows)] });
  }
  await client.query('COMMIT');
  return rows.length;
}

async function prepare(client: pg.Client, leads: number): Promise<{ accountId: number; campaignId: number }> {
  const { rows } = await client.query<{ accountId: number; campaignId: number }>(
    `WITH account AS (
       INSERT INTO accounts (name, email, plan_id, country) SELECT 'bare', 'bare@example.com', id, 'US' FROM plans
        WHERE name = 'unlimited' RETURNING id)
     INSERT INTO campaigns (account_id, assistant_id, name, timezone, max_calls_in_parallel, allowed_hours_start_time,
       allowed_hours_end_time, allowed_days, max_retries, retry_interval, retry_on_voicemail, retry_on_goal_incomplete,
       mark_complete_when_no_leads, phone_number_ids)
     SELECT account.id, assistant.id, 'Bare', 'UTC', 1000, '00:00', '23:59', '{monday}', 1, 60, false, false, true, '{}'
       FROM account, (SELECT id FROM assistants LIMIT 1) assistant RETURNING id AS "campaignId", account_id AS "accountId"`,
  );
  const [made] = rows;
  if (!made) throw new Error('there is no assistant');
  await client.query(
    `INSERT INTO leads (account_id, campaign_id, phone_number, zone)
     SELECT $1, $2, '+1' || 2150000000 + i, 'America/New_York@US' FROM generate_series(1, $3::int) i`,
    [made.accountId, made.campaignId, leads],
  );
  await client.query('ANALYZE leads');
  return made;
}

const LOCK = `
  SELECT account.id, balance_micros, held_micros, (
           SELECT count(*) FROM call_attempts WHERE account_id = account.id AND state <> 'closed') AS live
    FROM accounts account JOIN plans ON plans.id = plan_id WHERE account.id = $1 FOR NO KEY UPDATE OF account`;

const CANDIDATES = `
  SELECT lead.id, lead.phone_number, lead.variables,
         EXISTS (SELECT 1 FROM suppressions WHERE account_id = $1 AND phone_number = lead.phone_number) AS suppressed,
         EXISTS (SELECT 1 FROM call_attempts
                  WHERE account_id = $1 AND phone_number = lead.phone_number AND state <> 'closed') AS live,
         (SELECT count(*) FROM calls WHERE account_id = $1 AND client_phone_number = lead.phone_number
             AND type = 'outbound' AND carrier_sid IS NOT NULL AND created_at > now() - interval '24 hours') AS today
    FROM leads lead
   WHERE campaign_id = $2 AND main_lead_id IS NULL AND status IN ('created', 'scheduled', 'rescheduled')
     AND lead.status = 'created' AND zone = 'America/New_York@US' AND due_at <= now()
   ORDER BY due_at, id LIMIT $3 FOR UPDATE OF lead SKIP LOCKED`;

const WRITE = `
  WITH given AS (SELECT * FROM jsonb_to_recordset($3) AS given (id int, phone_number text, variables jsonb)),
  taken AS (
    UPDATE leads SET status = 'processing', attempts = attempts + 1 FROM given WHERE leads.id = given.id),
  opened AS (
    INSERT INTO calls (account_id, assistant_id, assistant_name, campaign_id, campaign_name, lead_id, type, token,
      assistant_phone_number, client_phone_number, variables, price_per_minute_micros, max_duration)
    SELECT $1, 1, 'Bare', $2, 'Bare', id, 'outbound', gen_random_uuid()::text, '+14155550100', phone_number, variables,
           20000, 300 FROM given RETURNING id, lead_id, client_phone_number)
  INSERT INTO call_attempts (account_id, call_id, campaign_id, lead_id, lead_status, phone_number, state, slot_until)
  SELECT $1, id, $2, lead_id, 'created', client_phone_number, 'requesting', now() + interval '6 minutes' FROM opened`;
