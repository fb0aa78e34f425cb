import { zoneKeyOf } from '#src/modules/leads/zone-key.js';
import { EVENTS_CHANNEL } from '#src/events/domain-events.service.js';
import { CampaignStarted } from '#src/modules/campaigns/campaign.types.js';
import type { Pool } from 'pg';
import { assistantBody } from '../rest/bodies.js';
import { anAccount, type BenchAccount } from '../support/account.js';
import { positive } from '../support/pace.js';
import { say } from '../support/progress.js';

/** Consecutive numbers of the sandbox that are always busy. */
export const busy = (index: number): string => `+1500555${6000 + (index % 1000)}`;

export interface DialCustomer extends BenchAccount {
  campaignIds: number[];
}

export interface NewCampaigns {
  campaigns: number;
  leads: number;
  webhookUrl?: string;
  parallel?: number;
}

const AT_A_TIME = 10;
const HOLD_CALLS = positive('BENCH_HOLD_CALLS', 1_000);

/** An account on the plan `unlimited` with draft campaigns of one assistant. Its limits have no effect. */
export async function aDialCustomer(
  pool: Pool,
  url: string,
  name: string,
  { campaigns, webhookUrl, parallel = HOLD_CALLS }: Omit<NewCampaigns, 'leads'>,
): Promise<DialCustomer> {
  const account = await anAccount(pool, name);
  const assistant = {
    ...assistantBody(account.id),
    is_webhook_active: webhookUrl !== undefined,
    webhook_url: webhookUrl ?? null,
  };
  const answer = await fetch(`${url}/api/user/assistant`, {
    method: 'POST',
    headers: account.headers,
    body: JSON.stringify(assistant),
  });
  const { data } = (await answer.json()) as { data?: { id: number } };
  if (!data) throw new Error(`no assistant: ${answer.status}`);
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO campaigns (account_id, assistant_id, name, timezone, max_calls_in_parallel, allowed_hours_start_time,
       allowed_hours_end_time, allowed_days, max_retries, retry_interval, retry_on_voicemail, retry_on_goal_incomplete,
       mark_complete_when_no_leads, phone_number_ids)
     SELECT $1, $2, 'Campaign ' || i, 'America/New_York', $4, '00:00', '23:59',
       '{monday,tuesday,wednesday,thursday,friday,saturday,sunday}', 1, 60, false, false, true, '{}'
       FROM generate_series(1, $3::int) i RETURNING id`,
    [account.id, data.id, campaigns, parallel],
  );
  return { ...account, campaignIds: rows.map(({ id }) => id) };
}

export async function dialCustomers(
  pool: Pool,
  url: string,
  name: string,
  count: number,
  campaigns: Omit<NewCampaigns, 'leads'>,
): Promise<DialCustomer[]> {
  say(`dialer: preparing ${count} accounts`);
  const customers: DialCustomer[] = [];
  let next = 0;
  const prepare = async (): Promise<void> => {
    while (next < count) customers.push(await aDialCustomer(pool, url, `${name}-${next++}`, campaigns));
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, prepare));
  return customers;
}

/** Adds one lead for each number, to the campaigns in turn, with the time zone that the service assigns. */
export async function addLeads(
  pool: Pool,
  { id, campaignIds }: DialCustomer,
  numbers: readonly string[],
): Promise<void> {
  await pool.query(
    `INSERT INTO leads (account_id, campaign_id, phone_number, variables, zone)
     SELECT $1, ($2::int[])[1 + (position - 1) % cardinality($2::int[])], number, '{"customer_name": "Ada"}', zone
       FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS given (number, zone, position)`,
    [id, campaignIds, numbers, numbers.map((phoneNumber) => zoneKeyOf({ phoneNumber, variables: {} }))],
  );
}

/** Starts the campaigns by SQL at the same time, so that API requests are not part of the measurement. */
export async function startCampaigns(pool: Pool, ids: readonly number[]): Promise<void> {
  await pool.query(
    `WITH started AS (
       UPDATE campaigns SET status = 'in-progress', wake_at = now(), waits_for_slot = false
        WHERE id = ANY($3) RETURNING id, account_id),
     told AS (
       INSERT INTO domain_events (kind, payload)
       SELECT $1, jsonb_build_object('campaignId', id, 'accountId', account_id) FROM started)
     SELECT pg_notify($2, '')`,
    [CampaignStarted.name, EVENTS_CHANNEL, ids],
  );
}
