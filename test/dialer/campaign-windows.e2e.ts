import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead } from '../factories/lead.js';
import { database } from '../support/database.js';
import { until } from '../support/until.js';

const NEW_YORK = '+12125550143';
const SAN_FRANCISCO = '+14155550143';
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const HOUR_MS = 3_600_000;

/** `HH:MM` in New York. */
const inNewYork = (time: number): string =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: 'America/New_York',
    hour: '2-digit',
    minute: '2-digit',
  }).format(time);

/** A weekday that is neither today nor tomorrow, whatever the zone. */
const farDay = (): string =>
  new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })
    .format(Date.now() + 3 * 24 * HOUR_MS)
    .toLowerCase();

describe('the window of a campaign', () => {
  let user: TestAccount;
  beforeAll(async () => {
    user = await anAccount();
  });

  const start = (campaign_id: number) =>
    user.client.post('/user/campaigns/update-status', { campaign_id, action: 'start' });
  const isCalled = async (leadId: number): Promise<boolean> =>
    (await database().query('SELECT 1 FROM calls WHERE lead_id = $1', [leadId])).rows.length > 0;
  /** Hours until the campaign has something to do; null: it has now. */
  const hoursAsleep = async (campaignId: number): Promise<number | null> => {
    const { rows } = await database().query<{ hours: number }>(
      `SELECT extract(epoch FROM wake_at - now())::float / 3600 AS hours FROM campaigns
        WHERE id = $1 AND wake_at > now() + interval '5 minutes'`,
      [campaignId],
    );
    return rows[0]?.hours ?? null;
  };

  it("is judged in the zone of a number's area code, not in the campaign's", async () => {
    const now = Date.now();
    const campaign = await aCampaign(user, {
      timezone: 'America/New_York',
      allowed_hours_start_time: inNewYork(now - HOUR_MS),
      allowed_hours_end_time: inNewYork(now + HOUR_MS),
    });
    const [here, west] = [
      await aLead(user, campaign, { phone_number: NEW_YORK }),
      await aLead(user, campaign, { phone_number: SAN_FRANCISCO }),
    ];
    await start(campaign);
    await until(() => isCalled(here.id));
    const hours = await until(() => hoursAsleep(campaign));
    // It opens three hours later than in New York, where it opened an hour ago.
    expect(hours).toBeGreaterThan(1.9);
    expect(hours).toBeLessThan(2.1);
    expect(await isCalled(west.id)).toBe(false);
  });

  it('is the list `windows` where it is not empty, whatever the hours and days beside it', async () => {
    const [open, closed] = await Promise.all([
      aCampaign(user, {
        allowed_days: [farDay()],
        windows: [{ days: DAYS, start: '00:00', end: '24:00' }],
      }),
      aCampaign(user, { windows: [{ days: [farDay()], start: '00:00', end: '24:00' }] }),
    ]);
    const [called, waiting] = [
      await aLead(user, open, { phone_number: '+15005550020' }),
      await aLead(user, closed, { phone_number: '+15005550021' }),
    ];
    await Promise.all([start(open), start(closed)]);
    await until(() => isCalled(called.id));
    expect(await until(() => hoursAsleep(closed))).toBeGreaterThan(24);
    expect(await isCalled(waiting.id)).toBe(false);
  });
});
