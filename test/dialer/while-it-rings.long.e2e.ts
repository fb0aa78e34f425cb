import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { anAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, type TestLead } from '../factories/lead.js';
import { CarrierBench } from '../support/carrier-bench.js';
import { until } from '../support/until.js';

const RINGS_OUT = '+15005550004';
const BUSY = '+15005550003';
/** Of the sandbox: a call rings as long as its assistant lets it. */
const SPEED = 1;
let bench: CarrierBench;

beforeAll(async () => {
  bench = await CarrierBench.start(undefined, SPEED, { CARRIER_CALLS_PER_SECOND: '1' });
});
afterAll(() => bench.stop());

it('a lead that is queued again does not delay the others of its campaign', async () => {
  const user = await anAccount({ service: bench });
  const assistant_id = await anAssistant(user, { ringing_time: 60 });
  const id = await aCampaign(user, { assistant_id, max_calls_in_parallel: 2 });
  const { id: called } = await aLead(user, id, { phone_number: RINGS_OUT });
  await user.client.post('/user/campaigns/update-status', { campaign_id: id, action: 'start' });
  const calls = async () => {
    const { rows } = await bench.db.query<{ lead_id: number; ended: boolean }>(
      'SELECT lead_id, ended_at IS NOT NULL AS ended FROM calls WHERE campaign_id = $1 ORDER BY id',
      [id],
    );
    return rows;
  };
  await until(async () => (await calls()).length === 1);
  expect((await user.client.put(`/user/leads/${called}`, { status: 'created' })).status).toBe(200);
  const { id: next } = await aLead(user, id, { phone_number: BUSY });
  const made = await until(async () => (await calls()).length === 2 && calls());
  expect(made).toMatchObject([{ lead_id: called, ended: false }, { lead_id: next }]);
});

it('a campaign fills its slots one after the other at one call per second', async () => {
  const user = await anAccount({ service: bench });
  const assistant_id = await anAssistant(user, { ringing_time: 60 });
  const id = await aCampaign(user, { assistant_id, max_calls_in_parallel: 4 });
  for (const digit of [1, 2, 3, 4, 5]) await aLead(user, id, { phone_number: `+1500555${digit}004` });
  await user.client.post('/user/campaigns/update-status', { campaign_id: id, action: 'start' });
  const running = async (): Promise<number> => {
    const { rows } = await bench.db.query(
      'SELECT 1 FROM calls WHERE campaign_id = $1 AND carrier_sid IS NOT NULL AND ended_at IS NULL',
      [id],
    );
    return rows.length;
  };
  await until(async () => (await running()) === 4);
});

it('a call whose assistant is deleted while it rings continues with a conversation, and the campaign stops', async () => {
  const user = await anAccount({ service: bench });
  const assistant_id = await anAssistant(user, { ringing_time: 60 });
  const id = await aCampaign(user, { assistant_id, max_calls_in_parallel: 1 });
  const { id: called } = await aLead(user, id, { phone_number: RINGS_OUT });
  const { id: waiting } = await aLead(user, id);
  await user.client.post('/user/campaigns/update-status', { campaign_id: id, action: 'start' });
  const call = await until(async () => {
    const { rows } = await bench.db.query<{ id: number }>('SELECT id FROM calls WHERE lead_id = $1', [
      called,
    ]);
    return rows[0] ?? null;
  });
  const { token, sid } = await bench.callAtCarrier(call.id);
  expect((await user.client.delete(`/user/assistant/${assistant_id}`)).status).toBe(200);
  const document = await bench.says(`answer/${token}`, { CallSid: sid, CallStatus: 'in-progress' });
  expect(document).toContain('<Connect');
  await bench.says(`status/${token}`, { CallSid: sid, CallStatus: 'completed', CallDuration: '1' });
  const campaign = await until(async () => {
    const { body } = await user.client.get<{ data: { status: string; stopped_reason: string } }>(
      `/user/campaigns/${id}`,
    );
    return body.data.status === 'stopped' && body.data;
  });
  expect(campaign.stopped_reason).toBe('assistant_deleted');
  const { body } = await user.client.get<{ data: TestLead }>(`/user/leads/${waiting}`);
  expect(body.data).toMatchObject({ status: 'created', attempts: 0 });
});
