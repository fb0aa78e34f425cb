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
