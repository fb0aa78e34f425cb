import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, callWhen } from '../factories/call.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead } from '../factories/lead.js';
import { baseUrl } from '../support/client-base.js';
import { EventStreamClient } from '../support/event-stream.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

const CALLEES = {
  voicemail: '+15005550005',
  asksForGerman: '+15005550029',
  menu: '+15005550036',
  screens: '+15005550050',
  wantsCallback: '+15005550051',
};
const ASKS_FOR_PERSON = '+15005550040';
const COLLEAGUE = '+15005550041';
const AT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);

interface Action {
  type: string;
  status: string;
  detail: string;
  at: string;
}

let user: TestAccount;
let receiver: Receiver;
/** Of the call with a message to an answering machine. */
let messages: Receiver;
let settings: Record<string, unknown>;

beforeAll(async () => {
  [user, receiver, messages] = await Promise.all([
    anAccount({ plan: 'unlimited' }),
    Receiver.open(),
    Receiver.open(),
  ]);
  settings = {
    post_call_evaluation: false,
    timezone: 'America/New_York',
    system_prompt: 'You make appointments for the Morgan family.',
    is_webhook_active: true,
    webhook_url: receiver.url,
  };
});
afterAll(() => Promise.all([receiver.close(), messages.close()]));

const toolsOf = async ({ client }: TestAccount, id: number) => {
  const { body } = await client.get<{
    data: { turns: { tool?: { name: string; arguments: object; status: string } }[] };
  }>(`/user/calls/${id}/turns`);
  return body.data.turns.flatMap(({ tool }) => tool ?? []);
};

/** The webhook of the call with this number. */
const bodyOf = (number: string, { received } = receiver) =>
  until(async () => received.find(({ body }) => body.customer_phone === number)?.body ?? null);

const actionsOf = async (number: string, at = receiver) => (await bodyOf(number, at)).actions as Action[];

/** A started campaign with these leads. */
async function calling(numbers: string[], fields: Record<string, unknown>): Promise<number> {
  const assistant_id = await anAssistant(user, { ...settings, ...fields });
  const campaign = await aCampaign(user, { assistant_id, max_calls_in_parallel: 10 });
  for (const phone_number of numbers) await aLead(user, campaign, { phone_number });
  await user.client.post('/user/campaigns/update-status', { campaign_id: campaign, action: 'start' });
  return campaign;
}

const statsOf = async (campaign: number) =>
  (await user.client.get<{ data: { stats: object } }>(`/user/campaigns/${campaign}`)).body.data.stats;

it.concurrent(
  'are reported in the webhooks of a campaign, and counted in its statistics and the metrics',
  async () => {
    const campaign = await calling(Object.values(CALLEES), {});
    const action = (type: string, detail: unknown) => ({ type, status: 'ok', detail, at: AT });
    expect(await actionsOf(CALLEES.voicemail)).toEqual([action('voicemail', 'hung_up')]);
    expect(await actionsOf(CALLEES.asksForGerman)).toEqual([action('language', 'de-DE')]);
    const keys = await actionsOf(CALLEES.menu);
    expect(keys.filter(({ detail }) => detail !== 'w')).toEqual(
      ['2', '3', '0'].map((key) => action('keys', key)),
    );
    const screened = await actionsOf(CALLEES.screens);
    // Whom it puts through depends on what it understands, and a machine that does not has the call to its end.
    expect(screened.filter(({ type }) => type === 'screening')).toEqual([
      action('screening', 'asked'),
      action('screening', expect.stringMatching(/^(connected|declined)$/)),
    ]);
    const [callback, ...more] = await actionsOf(CALLEES.wantsCallback);
    expect([callback, more]).toEqual([
      action('callback', expect.stringMatching(/^\d{4}-\d\d-\d\d (19|20):00:00$/)),
      [],
    ]);

    expect(await statsOf(campaign)).toMatchObject({
      transfers: { answered: 0 },
      actions: {
        screening: 1,
        keys: 1,
        language: 1,
        callback: 1,
        voicemail: screened.some(({ type }) => type === 'voicemail') ? 2 : 1,
      },
    });
    const metrics = await (await fetch(`${baseUrl()}/metrics`)).text();
    for (const name of ['screening', 'keys', 'language', 'callback', 'voicemail'])
      expect(metrics).toMatch(new RegExp(`^call_actions_total\\{action="${name}",status="ok"\\} [1-9]`, 'm'));
  },
);

it.concurrent('do not include transfers, which the statistics count by outcome', async () => {
  const people = [{ name: 'Workshop', phone_number: COLLEAGUE, description: 'For repairs.' }];
  const campaign = await calling([ASKS_FOR_PERSON], { transfer_numbers: people });
  expect(await bodyOf(ASKS_FOR_PERSON)).toMatchObject({
    transfers: [{ to: COLLEAGUE, status: 'answered' }],
    actions: [],
  });
  expect(await statsOf(campaign)).toMatchObject({
    transfers: { answered: 1, busy: 0 },
    actions: { screening: 0, keys: 0, language: 0, callback: 0, voicemail: 0 },
  });
});

it.concurrent('include the message to an answering machine, in turns and live events', async () => {
  const fields = { ...settings, webhook_url: messages.url, voice_mail_message: 'Please call us back.' };
  // An account calls a number once at a time.
  const other = await anAccount();
  const assistant = await anAssistant(other, fields);
  const id = await aCall(other, assistant, { phoneNumber: CALLEES.voicemail });
  expect(await actionsOf(CALLEES.voicemail, messages)).toMatchObject([
    { type: 'voicemail', detail: 'message' },
  ]);
  await callWhen(other, id, ({ status }) => status === 'completed');
  const tool = { name: 'voicemail', arguments: { outcome: 'message' }, status: 'ok' };
  expect(await toolsOf(other, id)).toMatchObject([tool]);
  const events = await (await EventStreamClient.open(other.token, `/user/calls/${id}/events`)).end();
  expect(events.filter(({ event }) => event === 'tool').map(({ data }) => data)).toMatchObject([tool]);
});
