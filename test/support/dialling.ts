import type { TestAccount } from '../factories/account.js';
import { database } from './database.js';
import { until } from './until.js';

/** No test runs for so long that one of these windows opens. */
export const CLOSED = {
  allowed_days: [
    new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })
      .format(Date.now() + 3 * 86_400_000)
      .toLowerCase(),
  ],
  timezone: 'UTC',
};

export const switchTo = (user: TestAccount, campaign_id: number, action: 'start' | 'stop') =>
  user.client.post('/user/campaigns/update-status', { campaign_id, action });

/** Waits until the campaign is asleep: it looked at its leads, and none could be called. */
export async function asleep(campaignId: number): Promise<void> {
  await until(async () => {
    const { rows } = await database().query(
      `SELECT 1 FROM campaigns WHERE id = $1 AND wake_at > now() + interval '1 hour'`,
      [campaignId],
    );
    return rows.length === 1;
  });
}

export const isDialled = (leadId: number) =>
  until(async () => {
    const { rows } = await database().query(`SELECT 1 FROM calls WHERE lead_id = $1`, [leadId]);
    return rows.length > 0;
  });

/** Calls of the account that the carrier took, each so many hours ago, of this campaign or by `make_call`. */
export const called = (
  user: TestAccount,
  number: string,
  hoursAgo: number[],
  { db = database(), campaignId = null as number | null, wasPlaced = true } = {},
) =>
  db.query(
    `INSERT INTO calls (account_id, assistant_id, assistant_name, campaign_id, type, status, token, carrier_sid,
       assistant_phone_number, client_phone_number, variables, price_per_minute_micros, max_duration, created_at,
       ended_at)
     SELECT $1, 1, 'Ada', $2, 'outbound', 'busy', gen_random_uuid(), CASE WHEN $3 THEN gen_random_uuid() END,
            '+14155550100', $4, '{}', 0, 600, now() - make_interval(secs => 3600 * hours), now()
       FROM unnest($5::float[]) hours`,
    [user.id, campaignId, wasPlaced, number, hoursAgo],
  );

/** So many calls, the newest and the oldest so many hours ago. */
export const spread = (count: number, newest: number, oldest: number): number[] =>
  Array.from({ length: count }, (_, n) => newest + ((oldest - newest) * n) / (count - 1));
