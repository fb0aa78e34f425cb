import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { BUSY } from '../factories/call.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, aNumber } from '../factories/lead.js';
import { CarrierBench } from '../support/carrier-bench.js';
import { database } from '../support/database.js';
import { asleep, CLOSED, isDialled, switchTo } from '../support/dialling.js';
import { until } from '../support/until.js';

const EVERY_DAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

interface Dialled {
  campaign_id: number | null;
  number: string;
  /** Seconds since the first one. */
  at: number;
}

/** The account's calls in the order in which they were made. */
async function dialled({ id }: TestAccount, db = database()): Promise<Dialled[]> {
  const { rows } = await db.query<Dialled>(
    `SELECT campaign_id, client_phone_number AS number,
            extract(epoch FROM created_at - min(created_at) OVER ())::float AS at
       FROM calls WHERE account_id = $1 ORDER BY id`,
    [id],
  );
  return rows;
}

/** Waits until the campaign is asleep because it has no leads. */
const withoutLeads = (campaignId: number) =>
  until(async () => {
    const { rows } = await database().query(
      `SELECT 1 FROM campaigns WHERE id = $1 AND wake_at = 'infinity'`,
      [campaignId],
    );
    return rows.length === 1;
  });

describe('the queue of a campaign', () => {
  let user: TestAccount;
  beforeAll(async () => {
    user = await anAccount();
  });

  const aSleepingCampaign = async (fields: Record<string, unknown> = {}) => {
    const id = await aCampaign(user, { ...CLOSED, ...fields });
    const lead = await aLead(user, id, { phone_number: BUSY });
    await switchTo(user, id, 'start');
    await asleep(id);
    return { id, lead };
  };

  it('counts a window that becomes wider at once', async () => {
    const { id, lead } = await aSleepingCampaign();
    await user.client.put(`/user/campaigns/${id}`, { allowed_days: EVERY_DAY });
    await isDialled(lead.id);
  });

  it('counts a time zone that becomes another at once, of a lead and of a contact', async () => {
    const now = new Date().getUTCHours();
    const hour = (at: number): string => `${String((at + 24) % 24).padStart(2, '0')}:00`;
    const window = {
      timezone: 'UTC',
      allowed_hours_start_time: hour(now - 1),
      allowed_hours_end_time: hour(now + 2),
    };
    const id = await aCampaign(user, { ...window, max_retries: 1 });
    const inTokyo = { timezone: 'Asia/Tokyo' };
    const lead = await aLead(user, id, { phone_number: BUSY, variables: inTokyo });
    const other = await aLead(user, id, {
      phone_number: '+15005550010',
      secondary_contacts: [{ phone_number: '+15005550004', variables: inTokyo }],
    });
    await database().query('UPDATE leads SET attempts = 1 WHERE id = $1', [other.id]);
    await switchTo(user, id, 'start');
    await asleep(id);
    const inUtc = { variables: { timezone: 'UTC' } };
    await user.client.put(`/user/leads/${lead.id}`, inUtc);
    await isDialled(lead.id);
    await user.client.put(`/user/leads/${other.secondary_contacts[0]?.id}`, inUtc);
    await isDialled(other.id);
  });

  it('dials a lead that is moved to an open campaign, and one that is added to a campaign that waits', async () => {
    const { lead } = await aSleepingCampaign();
    const open = await aCampaign(user, { mark_complete_when_no_leads: false });
    await switchTo(user, open, 'start');
    await withoutLeads(open);
    const added = await aLead(user, open, { phone_number: '+15005550004' });
    await isDialled(added.id);
    await user.client.put(`/user/leads/${lead.id}`, { campaign_id: open });
    await isDialled(lead.id);
  });

  it('calls due retries before leads that were never called, and agreed times before both', async () => {
    const id = await aCampaign(user, { max_calls_in_parallel: 1 });
    const leads = [];
    for (const number of ['+15005550003', '+15005553003', '+15005554003']) {
      leads.push(await aLead(user, id, { phone_number: number }));
    }
    const [fresh, retry, agreed] = leads.map((lead) => lead.id);
    await database().query(`UPDATE leads SET status = 'rescheduled' WHERE id = $1`, [retry]);
    // Where it is noon now: agreed calls are made between 8 and 21.
    const offset = new Date().getUTCHours() - 12;
    await user.client.put(`/user/leads/${agreed}`, {
      variables: { timezone: `Etc/GMT${offset < 0 ? '' : '+'}${offset}` },
    });
    await database().query(`UPDATE leads SET status = 'scheduled' WHERE id = $1`, [agreed]);
    await switchTo(user, id, 'start');
    await isDialled(fresh ?? 0);
    const { rows } = await database().query<{ lead_id: number }>(
      'SELECT lead_id FROM calls WHERE campaign_id = $1 ORDER BY id',
      [id],
    );
    expect(rows.map(({ lead_id }) => lead_id)).toEqual([agreed, retry, fresh]);
    await switchTo(user, id, 'stop');
  });

  it('gives the free slots of an account to its campaigns in turn', async () => {
    const own = await anAccount();
    const assistant_id = await anAssistant(own);
    await database().query(
      `WITH plan AS (
         INSERT INTO plans (name, max_tools, max_campaigns, max_parallel_calls, price_per_minute_micros)
         VALUES ('one-line-' || $1::int, 10, 10, 1, 0) RETURNING id)
       UPDATE accounts SET plan_id = (SELECT id FROM plan) WHERE id = $1`,
      [own.id],
    );
    const campaigns = [0, 0];
    for (const index of campaigns.keys()) {
      const id = await aCampaign(own, { assistant_id, mark_complete_when_no_leads: false });
      campaigns[index] = id;
      await switchTo(own, id, 'start');
      await withoutLeads(id);
    }
    // At once: no campaign is through with its leads before the other one has begun.
    await database().query(
      `INSERT INTO leads (account_id, campaign_id, phone_number)
       SELECT $1, campaign, '+1500555' || 6000 + 10 * position + n
         FROM unnest($2::int[]) WITH ORDINALITY AS one (campaign, position), generate_series(0, 9) n`,
      [own.id, campaigns],
    );
    // One of them may have made more calls before the other one was looked at.
    const turns = await until(async () => {
      const made = (await dialled(own)).map(({ campaign_id }) => campaign_id);
      const from = made.findIndex((id) => id !== made[0]);
      return from >= 0 && made.length >= from + 3 && made.slice(from - 1, from + 3);
    });
    const [first, second] = turns;
    expect(turns).toEqual([first, second, first, second]);
    for (const id of campaigns) await switchTo(own, id, 'stop');
  });
});

describe("the carrier's calls per second", () => {
  let bench: CarrierBench;
  beforeAll(async () => {
    bench = await CarrierBench.start(undefined, 80, { CARRIER_CALLS_PER_SECOND: '1' });
  });
  afterAll(() => bench.stop());

  // Which of them come first: carrier-rate.e2e.ts.
  it('are shared by campaigns and calls of requests, and a request that would wait for long is refused', async () => {
    const user = await anAccount({ service: bench, plan: 'unlimited' });
    const assistant_id = await anAssistant(user);
    const id = await aCampaign(user, { assistant_id, max_calls_in_parallel: 10 });
    for (let count = 0; count < 4; count++) {
      await aLead(user, id, { phone_number: `+150055530${10 + count}` });
    }
    const request = (phone_number: string) =>
      user.client.post('/user/make_call', { assistant_id, phone_number });
    await switchTo(user, id, 'start');
    for (const phone_number of ['+15005553110', '+15005553111', '+15005553112'])
      await until(async () => (await request(phone_number)).status === 200);
    const dials = await until(async () => {
      const events = (await bench.journal()).filter(({ kind }) => kind === 'dial');
      return events.length === 7 && events;
    });
    const { rows } = await bench.db.query<{ first: Date }>(
      'SELECT min(created_at) AS first FROM calls WHERE account_id = $1',
      [user.id],
    );
    // A call may be late on a busy machine, and is never early.
    const seconds = dials
      .map(({ at }) => (Date.parse(at) - Number(rows[0]?.first)) / 1_000)
      .sort((a, b) => a - b);
    expect(seconds.filter((at, index) => at < index - 0.01)).toEqual([]);
    const nextIn = (interval: string) =>
      bench.db.query('UPDATE carrier_rates SET next_at = now() + $1::interval', [interval]);
    await nextIn('1 hour');
    const refused = await request('+15005553113');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    await nextIn('0');
  });

  it('postpones a number that reaches the calls of a day, until it may be called again', async () => {
    const user = await anAccount({ service: bench });
    const assistant_id = await anAssistant(user);
    const number = aNumber();
    await bench.db.query(
      `INSERT INTO calls (account_id, assistant_id, assistant_name, type, status, token, carrier_sid,
                          assistant_phone_number, client_phone_number, variables, price_per_minute_micros,
                          max_duration, created_at, ended_at)
       SELECT $1, $2, 'Ada', 'outbound', 'busy', md5($3 || n), md5($3 || n), '+14155550100', $3, '{}', 0, 600,
              now() - make_interval(hours => n), now()
         FROM unnest(ARRAY[1, 5, 23]) n`,
      [user.id, assistant_id, number],
    );
    const id = await aCampaign(user, { assistant_id });
    const lead = await aLead(user, id, { phone_number: number });
    await switchTo(user, id, 'start');
    const minutes = await until(async () => {
      const { rows } = await bench.db.query<{ minutes: number }>(
        `SELECT extract(epoch FROM due_at - now())::float / 60 AS minutes FROM leads WHERE id = $1 AND due_at > now()`,
        [lead.id],
      );
      return rows[0]?.minutes ?? null;
    });
    expect(minutes).toBeGreaterThan(55);
    expect(minutes).toBeLessThanOrEqual(60);
    expect((await dialled(user, bench.db)).length).toBe(3);
  });
});
