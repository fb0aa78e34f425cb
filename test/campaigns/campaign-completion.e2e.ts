import { beforeAll, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anApiKey } from '../factories/api-key.js';
import { anAssistant } from '../factories/assistant.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, aNumber, type TestLead } from '../factories/lead.js';
import { database } from '../support/database.js';
import { until } from '../support/until.js';

let numbers = 0;
/** A busy callee of its own: an account calls a number once at a time. */
const aBusyNumber = (): string => `+1500555${6000 + numbers++}`;
const ONE_CALL = { max_retries: 1 };

let user: TestAccount;
let assistant_id: number;
beforeAll(async () => {
  user = await anAccount();
  assistant_id = await anAssistant(user);
});

const start = (campaign_id: number) =>
  user.client.post('/user/campaigns/update-status', { campaign_id, action: 'start' });
const statusOf = async (id: number) =>
  (await user.client.get<{ data: { status: string } }>(`/user/campaigns/${id}`)).body.data.status;
const leadStatus = async (id: number) =>
  (await user.client.get<{ data: { status: string } }>(`/user/leads/${id}`)).body.data.status;
const isCompleted = (id: number) => until(async () => (await statusOf(id)) === 'completed');

/** Completed by itself after its only lead, which is returned with it. */
async function completed(): Promise<{ id: number; lead: number }> {
  const id = await aCampaign(user, { assistant_id, ...ONE_CALL });
  const lead = await aLead(user, id, { phone_number: aBusyNumber(), allow_dupplicate: true });
  await start(id);
  await isCompleted(id);
  return { id, lead: lead.id };
}

const calls = async (id: number) =>
  (await user.client.get<{ data: { stats: { calls: Record<string, number> } } }>(`/user/campaigns/${id}`))
    .body.data.stats.calls;
const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0);

it.concurrent(
  'stays in progress when it is started without leads, and completes after its first one',
  async () => {
    const id = await aCampaign(user, { assistant_id, ...ONE_CALL });
    await start(id);
    // Campaigns are judged in turn: this one was when another one, started after it, has completed.
    await completed();
    expect(await statusOf(id)).toBe('in-progress');
    const lead = await aLead(user, id, { phone_number: aBusyNumber() });
    await isCompleted(id);
    expect(await leadStatus(lead.id)).toBe('reached-max-retries');
  },
);

it.concurrent.each<[string, (campaign: { id: number; lead: number }) => Promise<unknown>]>([
  ['a new lead', ({ id }) => aLead(user, id, { phone_number: '+15005550004' })],
  [
    'imported leads',
    async ({ id }) => {
      const form = new FormData();
      form.set('campaign_id', String(id));
      form.set('file', new Blob([`phone_number\n${aNumber()}\n`]), 'leads.csv');
      return user.client.send('POST', '/user/leads/import', form);
    },
  ],
  [
    'a lead that is queued again',
    ({ lead }) => user.client.put(`/user/leads/${lead}`, { status: 'created' }),
  ],
  [
    'a lead that is moved to it',
    async ({ id }) => {
      const lead = await aLead(user, await aCampaign(user, { assistant_id }));
      await user.client.put(`/user/leads/${lead.id}`, { campaign_id: id });
    },
  ],
  [
    'an appointment',
    ({ lead }) =>
      user.client.post(`/user/leads/${lead}/schedule`, {
        scheduled_at: new Date(Date.now() + 86_400_000).toISOString().slice(0, 19).replace('T', ' '),
      }),
  ],
])('continues after %s when it completed by itself', async (title, queue) => {
  const campaign = await completed();
  await queue(campaign);
  if (title === 'an appointment') return expect(await statusOf(campaign.id)).toBe('in-progress');
  await until(async () => sum(await calls(campaign.id)) === 2);
  await isCompleted(campaign.id);
});

it.concurrent('stays completed when that was more than 30 days ago, or by an earlier release', async () => {
  for (const at of [`now() - interval '31 days'`, 'NULL']) {
    const { id, lead } = await completed();
    await database().query(`UPDATE campaigns SET completed_at = ${at} WHERE id = $1`, [id]);
    await aLead(user, id);
    await user.client.put(`/user/leads/${lead}`, { status: 'created' });
    expect(await statusOf(id)).toBe('completed');
  }
});

it.concurrent('calls each of several leads that are added just when it completes', async () => {
  const { id } = await completed();
  for (let round = 0; round < 3; round++) {
    const lead = await aLead(user, id);
    await until(async () => (await leadStatus(lead.id)) === 'completed');
  }
  await isCompleted(id);
});

it.concurrent('is not delayed by a lead whose time zone is not known, which stays and counts', async () => {
  const id = await aCampaign(user, { assistant_id, ...ONE_CALL });
  const nowhere = await aLead(user, id, { variables: { timezone: 'Nowhere/Land' } });
  await aLead(user, id, { phone_number: aBusyNumber(), allow_dupplicate: true });
  await start(id);
  await isCompleted(id);
  const { body } = await user.client.get<{ data: TestLead }>(`/user/leads/${nowhere.id}`);
  expect(body.data).toMatchObject({ status: 'created', attempts: 0, last_outcome: 'no_timezone' });
  const campaign = await user.client.get<{ data: { stats: object } }>(`/user/campaigns/${id}`);
  expect(campaign.body.data.stats).toMatchObject({ leads: { created: 1, 'reached-max-retries': 1 } });
});

it.concurrent('another account cannot continue it', async () => {
  const other = await anAccount();
  const { id } = await completed();
  const { status } = await other.client.post('/user/lead', { campaign_id: id, phone_number: aBusyNumber() });
  expect([status, await statusOf(id)]).toEqual([422, 'completed']);
});

it.concurrent.each<
  [
    string,
    (client: TestAccount['client'], campaign: { id: number; lead: number }) => Promise<{ status: number }>,
  ]
>([
  [
    'a new lead',
    (client, { id }) => client.post('/user/lead', { campaign_id: id, phone_number: '+15005550004' }),
  ],
  [
    'imported leads',
    (client, { id }) => {
      const form = new FormData();
      form.set('campaign_id', String(id));
      form.set('file', new Blob([`phone_number\n${aNumber()}\n`]), 'leads.csv');
      return client.send('POST', '/user/leads/import', form);
    },
  ],
  [
    'a lead that is queued again',
    (client, { lead }) => client.put(`/user/leads/${lead}`, { status: 'created' }),
  ],
  ['the same by the other path', (client, { lead }) => client.put(`/leads/${lead}`, { status: 'created' })],
  [
    'a lead that is moved to it',
    async (client, { id }) => {
      const lead = await aLead(user, await aCampaign(user, { assistant_id }));
      return client.put(`/user/leads/${lead.id}`, { campaign_id: id });
    },
  ],
  [
    'an appointment',
    (client, { lead }) => {
      const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
      return client.post(`/user/leads/${lead}/schedule`, { scheduled_at });
    },
  ],
])(
  'stays completed with %s of a key without calls, and continues when one with calls starts it',
  async (_, add) => {
    const campaign = await completed();
    const { client } = await anApiKey(user, { scopes: ['read', 'write'] });
    expect((await add(client, campaign)).status).toBe(200);
    expect(await statusOf(campaign.id)).toBe('completed');
    expect((await start(campaign.id)).status).toBe(200);
  },
);
