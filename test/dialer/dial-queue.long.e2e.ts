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
    await until(async () => {
      const { rows } = await database().query(
        `SELECT 1 FROM campaigns WHERE id = $1 AND wake_at = 'infinity'`,
        [open],
      );
      return rows.length === 1;
    });
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
    const campaigns = [await aCampaign(own, { assistant_id }), await aCampaign(own, { assistant_id })];
    for (const id of campaigns) {
      for (let count = 0; count < 6; count++) {
        await aLead(own, id, { phone_number: `+1500555${5000 + id * 6 + count}` });
      }
    }
    await database().query(
      `UPDATE leads SET phone_number = '+1500555' || lpad((6000 + id % 1000)::text, 4, '0') WHERE account_id = $1`,
      [own.id],
    );
    for (const id of campaigns) await switchTo(own, id, 'start');
    const [first, second] = campaigns;
    // The first campaign may have made more calls before the second was started.
    const turns = await until(async () => {
      const made = (await dialled(own)).map(({ campaign_id }) => campaign_id);
      const from = made.findIndex((id) => id === second);
      return from >= 0 && made.length >= from + 3 && made.slice(from, from + 3);
    });
    expect(turns).toEqual([second, first, second]);
    for (const id of campaigns) await switchTo(own, id, 'stop');
  });
});

describe("the carrier's calls per second", () => {
  let bench: CarrierBench;
  beforeAll(async () => {
    bench = await CarrierBench.start(undefined, 80, { CARRIER_CALLS_PER_SECOND: '1' });
  });
  afterAll(() => bench.stop());

  it('are shared by campaigns, calls of requests come first, and too many of these are refused', async () => {
    const user = await anAccount({ service: bench, plan: 'unlimited' });
    const assistant_id = await anAssistant(user);
    const id = await aCampaign(user, { assistant_id, max_calls_in_parallel: 10 });
    for (let count = 0; count < 4; count++) {
      await aLead(user, id, { phone_number: `+150055530${10 + count}` });
    }
    await switchTo(user, id, 'start');
    await until(async () => (await dialled(user, bench.db)).length >= 1);
    const requested = await Promise.all(
      Array.from({ length: 20 }, (_, count) =>
        user.client.post('/user/make_call', { assistant_id, phone_number: `+150055531${10 + count}` }),
      ),
    );
    const accepted = requested.filter(({ status }) => status === 200).length;
    expect(accepted).toBeGreaterThanOrEqual(2);
    const refused = requested.find(({ status }) => status !== 200);
    expect(refused?.status).toBe(429);
    expect(refused?.headers.get('retry-after')).toBe('1');
    const dials = await until(async () => {
      const events = (await bench.journal()).filter(({ kind }) => kind === 'dial');
      return events.length >= 4 + accepted && events;
    });
    const isRequested = dials.map(({ to }) => to.startsWith('+150055531'));
    // No call of the campaign between those of requests.
    expect(isRequested.slice(isRequested.indexOf(true)).indexOf(false)).toBe(accepted);
    const times = (dials as unknown as { at: string }[]).map(({ at }) => Date.parse(at));
    const seconds = (Math.max(...times) - Math.min(...times)) / 1000;
    expect((dials.length - 1) / seconds).toBeLessThan(1.3);
  });

  it('postpones a number that was called as often as a day allows, until it may be called again', async () => {
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
