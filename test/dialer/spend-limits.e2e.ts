import { beforeEach, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anApiKey, type TestApiKey } from '../factories/api-key.js';
import { anAssistant } from '../factories/assistant.js';
import { aSilentNumber, callWhen } from '../factories/call.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, aNumber, type TestLead } from '../factories/lead.js';
import { Carrier } from '../support/carrier.js';
import type { Answer, Client } from '../support/client.js';
import { runCommand } from '../support/command.js';
import { database } from '../support/database.js';
import { isDialled } from '../support/dialling.js';
import {
  ACCOUNT_LIMIT,
  KEY_LIMIT,
  keyInList,
  limitAccount,
  limitOf,
  MINUTE,
  passAnHour,
  sendSms,
  spendLimit,
  type Refusal,
} from '../support/spending.js';
import { until } from '../support/until.js';

const carrier = Carrier.shared();
let user: TestAccount;

beforeEach(async () => {
  user = await anAccount();
});

type Placed = Refusal & { call_id: number };

const makeCall = (client: Client, assistant_id: number, phone_number: string): Promise<Answer<Placed>> =>
  client.post<Placed>('/user/make_call', { assistant_id, phone_number });

/** To people who say nothing and stay on the line. */
const makeCalls = (client: Client, assistant: number, count: number, first = 0): Promise<Answer<Placed>[]> =>
  Promise.all(
    Array.from({ length: count }, (_, index) => makeCall(client, assistant, aSilentNumber(first + index))),
  );

const placedOf = (answers: Answer<Placed>[]): number[] =>
  answers.filter(({ status }) => status === 200).map(({ body }) => body.call_id);

async function endAll(callIds: readonly number[]): Promise<void> {
  await Promise.all(
    callIds.map(async (id) => {
      await callWhen(user, id, ({ status }) => status === 'in-progress');
      await carrier.hangUp(id);
      await callWhen(user, id, ({ status }) => status === 'completed');
    }),
  );
}

describe('calls on request', () => {
  it('are placed as many as the limit of the account pays for, and those that run go on', async () => {
    const assistant = await anAssistant(user, { max_call_duration: 60 });
    await limitAccount(user, 3 * MINUTE);
    const answers = await makeCalls(user.client, assistant, 50);
    const placed = placedOf(answers);
    expect(placed).toHaveLength(3);
    expect(answers.filter((answer) => limitOf(answer) === ACCOUNT_LIMIT)).toHaveLength(47);
    expect((await spendLimit(user.client)).spent_this_hour).toBeCloseTo(3 * MINUTE, 6);
    await endAll(placed);
    // Charged now, by the minute and the carrier's price.
    expect((await spendLimit(user.client)).spent_this_hour).toBeGreaterThanOrEqual(3 * MINUTE);
    expect(limitOf(await makeCall(user.client, assistant, aNumber()))).toBe(ACCOUNT_LIMIT);
    await passAnHour(user);
    const next = await makeCall(user.client, assistant, aSilentNumber(60));
    expect(next.status).toBe(200);
    await endAll([next.body.call_id]);
  });

  it('count for the key that starts them, and not for another', async () => {
    const assistant = await anAssistant(user, { max_call_duration: 60 });
    const limited = await anApiKey(user, { scopes: ['calls'], spend_limit_per_hour: 2 * MINUTE });
    const free = await anApiKey(user, { scopes: ['calls'] });
    const answers = await makeCalls(limited.client, assistant, 6);
    const placed = placedOf(answers);
    expect(placed).toHaveLength(2);
    expect(answers.filter((answer) => limitOf(answer) === KEY_LIMIT)).toHaveLength(4);
    const others = placedOf(await makeCalls(free.client, assistant, 2, 10));
    expect(others).toHaveLength(2);
    expect((await keyInList(user, limited.id))?.spent_this_hour).toBeCloseTo(2 * MINUTE, 6);
    const { output } = await runCommand(['accounts', 'verify', '--json']);
    const { findings } = JSON.parse(output) as { findings: { accountId: number }[] };
    expect(findings.filter(({ accountId }) => accountId === user.id)).toEqual([]);
    await endAll([...placed, ...others]);
  });

  it('are shortened to the minutes that the limit leaves', async () => {
    const assistant = await anAssistant(user, { max_call_duration: 600 });
    const { client } = await anApiKey(user, { spend_limit_per_hour: 2.5 * MINUTE });
    const [id = 0] = placedOf(await makeCalls(client, assistant, 1));
    await callWhen(user, id, ({ status }) => status === 'in-progress');
    const { sid } = await carrier.callAtCarrier(id);
    const dial = (await carrier.journal(sid)).find(({ kind }) => kind === 'dial');
    expect(dial).toMatchObject({ limitSeconds: 120 });
    await endAll([id]);
  });

  it('of customers are answered at the limit of the account', async () => {
    const number = user.phoneNumber;
    await anAssistant(user, { calls_direction: 'receive', phone_number_id: number.id });
    await limitAccount(user, 0);
    await carrier.incoming(number.phone_number, '+14155550193');
    const id = await until(async () => {
      const { body } = await user.client.get<{ data: { id: number }[] }>('/user/calls?status=in-progress');
      return body.data[0]?.id ?? null;
    });
    await carrier.says('status', {
      CallSid: (await carrier.callAtCarrier(id)).sid,
      CallStatus: 'completed',
      CallDuration: '1',
    });
    await callWhen(user, id, ({ status }) => status === 'completed');
    expect((await spendLimit(user.client)).spent_this_hour).toBeGreaterThan(0);
  });
});

interface Preview {
  reason: string | null;
  free_slots: number;
  leads: { id: number; reason: string | null; until: string | null }[];
}

const preview = async (campaign: number): Promise<Preview> =>
  (await user.client.get<{ data: Preview }>(`/user/campaigns/${campaign}/preview`)).body.data;
const statusOf = async (campaign: number): Promise<string> =>
  (await user.client.get<{ data: { status: string } }>(`/user/campaigns/${campaign}`)).body.data.status;
const leadOf = async ({ id }: TestLead) =>
  (await user.client.get<{ data: { status: string; attempts: number } }>(`/user/leads/${id}`)).body.data;
const callsOf = async (campaign: number): Promise<number> =>
  (await user.client.get<{ total: number }>(`/user/calls?campaign_id=${campaign}`)).body.total;
const start = (client: Client, campaign_id: number) =>
  client.post('/user/campaigns/update-status', { campaign_id, action: 'start' });
/** The dialler has looked at the campaign, and dials none of its leads. */
const waits = (campaign: number) =>
  until(async () => {
    const { rows } = await database().query('SELECT 1 FROM campaigns WHERE id = $1 AND waits_for_slot', [
      campaign,
    ]);
    return rows.length > 0;
  });

describe('a campaign', () => {
  let key: TestApiKey;
  let campaign: number;
  let leads: TestLead[];

  /** The key has spent all but less than a minute. */
  beforeEach(async () => {
    key = await anApiKey(user, { spend_limit_per_hour: 0.1 });
    expect((await sendSms(user, key.client)).status).toBe(200);
    campaign = await aCampaign(user, { mark_complete_when_no_leads: false });
    leads = [await aLead(user, campaign), await aLead(user, campaign)];
  });

  it('waits at the limit of the key that started it, and goes on in the next hour', async () => {
    await start(key.client, campaign);
    await waits(campaign);
    const { reason, free_slots, leads: shown } = await preview(campaign);
    expect([reason, free_slots]).toEqual(['spend_limit', 0]);
    const { hour_ends_at } = await spendLimit(user.client);
    const end = hour_ends_at.slice(0, 19).replace('T', ' ');
    expect(shown.map(({ reason: why, until: when }) => [why, when])).toEqual([
      ['spend_limit', end],
      ['spend_limit', end],
    ]);
    for (const lead of leads) expect(await leadOf(lead)).toMatchObject({ status: 'created', attempts: 0 });
    expect([await statusOf(campaign), await callsOf(campaign)]).toEqual(['in-progress', 0]);
    await passAnHour(user);
    await isDialled(leads[0]?.id ?? 0);
  });

  it('of another key is dialled meanwhile', async () => {
    await start(key.client, campaign);
    await waits(campaign);
    const other = await aCampaign(user, { mark_complete_when_no_leads: false });
    const lead = await aLead(user, other);
    await start(user.client, other);
    await isDialled(lead.id);
    expect(await callsOf(campaign)).toBe(0);
  });

  it('counts for the key that started it last', async () => {
    await start(key.client, campaign);
    await waits(campaign);
    await user.client.post('/user/campaigns/update-status', { campaign_id: campaign, action: 'stop' });
    await start(user.client, campaign);
    await isDialled(leads[0]?.id ?? 0);
    expect((await keyInList(user, key.id))?.spent_this_hour).toBe(0.075);
  });

  it('goes on when a call ends that has held what is left', async () => {
    const assistant = await anAssistant(user, { max_call_duration: 600 });
    const holder = await anApiKey(user, { spend_limit_per_hour: 10 * MINUTE });
    const [call = 0] = placedOf(await makeCalls(holder.client, assistant, 1));
    await start(holder.client, campaign);
    await waits(campaign);
    expect((await preview(campaign)).reason).toBe('spend_limit');
    await endAll([call]);
    await isDialled(leads[0]?.id ?? 0);
  });
});
