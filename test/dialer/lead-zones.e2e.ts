import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, aNumber } from '../factories/lead.js';
import { database } from '../support/database.js';
import { until } from '../support/until.js';

// Calls take seconds; on a loaded machine many.
jest.setTimeout(60_000);

const BUSY = '+15005550003';
/** An hour that no test runs for: every window of the day after next is closed now. */
const CLOSED = {
  allowed_days: [
    new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })
      .format(Date.now() + 3 * 86_400_000)
      .toLowerCase(),
  ],
  timezone: 'UTC',
};

const switchTo = (user: TestAccount, campaign_id: number, action: 'start' | 'stop') =>
  user.client.post('/user/campaigns/update-status', { campaign_id, action });

/** Waits until the campaign is asleep: it looked at its leads, and none could be called. */
async function asleep(campaignId: number): Promise<void> {
  await until(async () => {
    const { rows } = await database().query(
      `SELECT 1 FROM campaigns WHERE id = $1 AND wake_at > now() + interval '1 hour'`,
      [campaignId],
    );
    return rows.length === 1;
  });
}

describe('the time zones of leads', () => {
  let user: TestAccount;
  beforeAll(async () => {
    user = await anAccount();
  });

  const isDialled = (leadId: number) =>
    until(async () => {
      const { rows } = await database().query(`SELECT 1 FROM calls WHERE lead_id = $1`, [leadId]);
      return rows.length > 0;
    });

  it('are written with the leads: a campaign with closed windows sleeps without a write to them', async () => {
    const id = await aCampaign(user, { ...CLOSED });
    const lead = await aLead(user, id, {
      phone_number: '+12125550143',
      secondary_contacts: [{ phone_number: aNumber() }],
    });
    await aLead(user, id, { phone_number: '+493012345678', variables: { timezone: 'Asia/Tokyo' } });
    await aLead(user, id, { phone_number: aNumber(), variables: { timezone: 'Nowhere/Land' } });
    const data = new FormData();
    const lines = Array.from({ length: 600 }, (_, line) => `+1415555${String(line).padStart(4, '0')}`);
    data.append('file', new Blob([['phone_number', ...lines].join('\n')], { type: 'text/csv' }), 'leads.csv');
    data.append('campaign_id', String(id));
    expect((await user.client.send('POST', '/user/leads/import', data)).status).toBe(200);
    const rows = async () =>
      (
        await database().query<{
          id: number;
          phone_number: string;
          zone: string | null;
          outcome: string | null;
        }>(
          `SELECT id, phone_number, zone, last_outcome AS outcome, xmin::text FROM leads WHERE campaign_id = $1 ORDER BY id`,
          [id],
        )
      ).rows;
    const before = await rows();
    expect(before.slice(0, 5)).toMatchObject([
      { id: lead.id, zone: 'America/New_York@US', outcome: null },
      // A contact's zone is that of its main lead, when it is dialled next.
      { zone: null },
      { zone: 'Asia/Tokyo@DE' },
      { zone: '', outcome: 'no_timezone' },
      { zone: 'America/Los_Angeles@US' },
    ]);
    await switchTo(user, id, 'start');
    await asleep(id);
    expect(await rows()).toEqual(before);
    await switchTo(user, id, 'stop');
  });

  it('keep appointments to 8 to 21, but for a minute that the person named on a call', async () => {
    const id = await aCampaign(user, { retry_interval: 240 });
    // Where it is three in the night now.
    const offset = ((new Date().getUTCHours() + 24 - 3 + 12) % 24) - 12;
    const zone = `Etc/GMT${offset < 0 ? '' : '+'}${offset}`;
    const night = { variables: { timezone: zone } };
    const named = await aLead(user, id, { phone_number: BUSY, ...night });
    const missed = await aLead(user, id, { phone_number: '+15005553103', ...night });
    const asked = await aLead(user, id, { phone_number: '+15005553203', ...night });
    const schedule = (lead: number, minutes: number, isNamed: boolean) =>
      database().query(
        `UPDATE leads SET status = 'scheduled', due_at = now() - make_interval(mins => $2), zone = $3 || CASE WHEN $4
                THEN '!' || extract(epoch FROM now() - make_interval(mins => $2))::bigint ELSE '' END WHERE id = $1`,
        [lead, minutes, zone, isNamed],
      );
    await schedule(named.id, 0, true);
    await schedule(missed.id, 20, true);
    await schedule(asked.id, 0, false);
    await switchTo(user, id, 'start');
    await isDialled(named.id);
    await asleep(id);
    const { rows } = await database().query('SELECT lead_id FROM calls WHERE campaign_id = $1', [id]);
    expect(rows).toEqual([{ lead_id: named.id }]);
    await switchTo(user, id, 'stop');
  });
});
