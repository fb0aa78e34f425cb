import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anApiKey } from '../factories/api-key.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead } from '../factories/lead.js';
import { database } from '../support/database.js';
import { EventStreamClient, type ServerEvent } from '../support/event-stream.js';
import { until } from '../support/until.js';

const GREETS = '+15005550020';
const NOT_FOUND = '{"message":"Campaign not found."}';
const open: EventStreamClient[] = [];

async function watch({ token }: TestAccount, campaign: number, lastEventId?: string) {
  const client = await EventStreamClient.open(token, `/user/campaigns/${campaign}/events`, { lastEventId });
  open.push(client);
  return client;
}

const of = (kind: string, events: ServerEvent[]) => events.filter(({ event }) => event === kind);
const counters = (events: ServerEvent[]) => of('counters', events).map(({ data }) => data);

afterEach(() => {
  for (const client of open.splice(0)) client.close();
});

describe('events of a campaign', () => {
  let user: TestAccount;
  let other: TestAccount;

  beforeAll(async () => {
    [user, other] = await Promise.all([anAccount(), anAccount()]);
  });

  const aCallOf = async (campaign: number | null): Promise<number> => {
    const { rows } = await database().query<{ id: number }>(
      `INSERT INTO calls (account_id, assistant_id, assistant_name, campaign_id, type, status, token,
         assistant_phone_number, client_phone_number, variables, price_per_minute_micros, max_duration)
       VALUES ($1, 1, 'Ada', $2, 'outbound', 'in-progress', gen_random_uuid()::text, '+15005550021', '+15005550020',
               '{}', 0, 600) RETURNING id`,
      [user.id, campaign],
    );
    return rows[0]?.id ?? 0;
  };

  it('report the statistics when they change, and status and end of its calls', async () => {
    const [campaign, quiet] = [await aCampaign(user), await aCampaign(user)];
    const [stream, elsewhere] = [await watch(user, campaign), await watch(user, quiet)];
    const [first] = await stream.when((events) => events.length > 0);
    expect(first).toMatchObject({
      id: '',
      event: 'counters',
      data: {
        campaign_id: campaign,
        status: 'draft',
        stopped_reason: null,
        paused_reason: null,
        leads: { created: 0, completed: 0 },
        calls: { completed: 0 },
        transfers: { answered: 0 },
        actions: { keys: 0 },
      },
    });
    await aLead(user, campaign, { phone_number: GREETS });
    await stream.when((told) => counters(told).some(({ leads }) => (leads as Counts).created === 1));
    await user.client.post('/user/campaigns/update-status', { campaign_id: campaign, action: 'start' });
    const events = await stream.when(
      (told) =>
        of('ended', told).length > 0 &&
        counters(told).some(
          ({ status, leads }) => status === 'completed' && (leads as Counts).completed === 1,
        ),
    );
    const callIds = new Set(
      [...of('status', events), ...of('ended', events)].map(({ data }) => data.call_id),
    );
    expect(callIds.size).toBe(1);
    expect(of('status', events).map(({ data }) => data.status)).toContain('in-progress');
    expect(new Set(events.map(({ event }) => event))).toEqual(new Set(['counters', 'status', 'ended']));
    const told = counters(events).map((data) => JSON.stringify(data));
    expect(told.filter((text, at) => text === told[at - 1])).toEqual([]);
    expect(told.length).toBeGreaterThan(2);
    // A later event of its own: until then the other stream was told nothing.
    await aCallOf(quiet);
    await elsewhere.when((all) => of('status', all).length > 0 && counters(all).length > 1);
    expect(of('status', elsewhere.events)).toHaveLength(1);
  });

  type Counts = Record<string, number>;

  it('are resumed after the last id, and begin with the first one for an id of another campaign', async () => {
    const [campaign, next] = [await aCampaign(user), await aCampaign(user)];
    const calls = [await aCallOf(campaign), await aCallOf(campaign), await aCallOf(null)];
    const theirs = await aCallOf(next);
    const statuses = (events: ServerEvent[]) => of('status', events);
    const stream = await watch(user, campaign);
    const events = statuses(await stream.when((told) => statuses(told).length === 2));
    expect(events.map(({ data }) => data.call_id)).toEqual(calls.slice(0, 2));

    const resumed = await watch(user, campaign, events[0]?.id);
    await resumed.when((told) => statuses(told).length === 1);
    expect(statuses(resumed.events)).toEqual(events.slice(1));

    const foreign = await watch(user, next);
    const [id] = statuses(await foreign.when((told) => statuses(told).length === 1));
    expect(id?.data.call_id).toBe(theirs);
    const again = await watch(user, campaign, id?.id);
    await again.when((told) => statuses(told).length === 2);
    expect(statuses(again.events)).toEqual(events);
  });

  it('return 404 for a campaign of another account and for a deleted one, and end then', async () => {
    const campaign = await aCampaign(user);
    const stream = await watch(user, campaign);
    const path = `/user/campaigns/${campaign}/events`;
    const { status, text } = await other.client.get(path);
    expect([status, text]).toEqual([404, NOT_FOUND]);
    await user.client.delete(`/user/campaigns/${campaign}`);
    await stream.end();
    const deleted = await user.client.get(path);
    expect([deleted.status, deleted.text]).toEqual([404, NOT_FOUND]);
    expect((await user.client.get('/user/campaigns/0/events')).status).toBe(404);
  });

  it('need the scope `read`, and count among the 50 streams of an account', async () => {
    const one = await anAccount();
    const campaign = await aCampaign(one);
    const { client } = await anApiKey(one, { scopes: ['calls'] });
    expect((await client.get(`/user/campaigns/${campaign}/events`)).status).toBe(403);
    const streams = await Promise.all(Array.from({ length: 50 }, () => watch(one, campaign)));
    expect(streams.map(({ response }) => response.status)).toEqual(streams.map(() => 200));
    const refused = await watch(one, campaign);
    expect([refused.response.status, refused.response.headers.get('retry-after')]).toEqual([429, '10']);
    streams[0]?.close();
    await until(async () => {
      const again = await watch(one, campaign);
      return again.response.status === 200;
    });
  });
});
