import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { anAccount, aPhoneNumber, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, type TestLead } from '../factories/lead.js';
import { Carrier } from '../support/carrier.js';
import { database } from '../support/database.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

let user: TestAccount;
let receiver: Receiver;

beforeEach(async () => {
  [user, receiver] = await Promise.all([anAccount(), Receiver.open()]);
});
afterEach(() => receiver.close());

const turn = (campaign_id: number, action: 'start' | 'stop') =>
  user.client.post('/user/campaigns/update-status', { campaign_id, action });

interface CampaignBody {
  data: { status: string; stopped_reason: string | null };
}

const campaignOf = async (id: number) =>
  (await user.client.get<CampaignBody>(`/user/campaigns/${id}`)).body.data;

/** In progress, with a lead that cannot be dialled any more. */
async function aStuckCampaign(
  spoil: (assistantId: number) => Promise<unknown>,
  { send_webhook_only_on_completed = false, fields = {} as Record<string, unknown> } = {},
): Promise<number> {
  const webhook = { is_webhook_active: true, webhook_url: receiver.url, send_webhook_only_on_completed };
  const assistant_id = await anAssistant(user, webhook);
  const id = await aCampaign(user, { assistant_id, mark_complete_when_no_leads: false, ...fields });
  await turn(id, 'start');
  await spoil(assistant_id);
  await aLead(user, id);
  await until(async () => (await campaignOf(id)).status === 'stopped');
  return id;
}

const spend = () => database().query('UPDATE accounts SET balance_micros = 0 WHERE id = $1', [user.id]);
const topUp = () => database().query('UPDATE accounts SET balance_micros = 1e8 WHERE id = $1', [user.id]);
const expire = (id: number) =>
  database().query(
    `UPDATE phone_numbers SET subscription_expires_at = now() - interval '1 day' WHERE id = $1`,
    [id],
  );

it('stops without a balance, reports why, and continues when it is started again', async () => {
  const id = await aStuckCampaign(spend);
  expect(await campaignOf(id)).toMatchObject({ status: 'stopped', stopped_reason: 'balance' });
  const [request] = await receiver.requests(1);
  expect(request?.headers['webhook-event']).toBe('campaign.stopped');
  expect(request?.body).toEqual({
    event: 'campaign.stopped',
    campaign: { id, name: 'Spring offer', status: 'stopped', stopped_reason: 'balance' },
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
  });
  await topUp();
  await turn(id, 'start');
  expect(await campaignOf(id)).toMatchObject({ status: 'in-progress', stopped_reason: null });
});

it('stops with an assistant that is inactive or deleted', async () => {
  const inactive = await aStuckCampaign((assistant) =>
    user.client.put(`/user/assistant/${assistant}`, { status: 'inactive' }),
  );
  expect(await campaignOf(inactive)).toMatchObject({ stopped_reason: 'assistant_inactive' });
  const deleted = await aStuckCampaign((assistant) => user.client.delete(`/user/assistant/${assistant}`));
  expect(await campaignOf(deleted)).toMatchObject({ stopped_reason: 'assistant_deleted' });
});

it('stops when none of its numbers is active, and calls from no other', async () => {
  const own = await aPhoneNumber(user.id);
  const id = await aStuckCampaign(() => expire(own.id), { fields: { phone_number_ids: [own.id] } });
  expect(await campaignOf(id)).toMatchObject({ stopped_reason: 'no_phone_number' });
  const { rows } = await database().query('SELECT 1 FROM calls WHERE campaign_id = $1', [id]);
  expect(rows).toEqual([]);
});

it('has no reason, and no webhook, when a person stops it', async () => {
  const id = await aCampaign(user, {
    assistant_id: await anAssistant(user, { is_webhook_active: true, webhook_url: receiver.url }),
    mark_complete_when_no_leads: false,
  });
  await turn(id, 'start');
  await turn(id, 'stop');
  expect(await campaignOf(id)).toMatchObject({ status: 'stopped', stopped_reason: null });
  // The webhook of a campaign that stops after it is the first one.
  const next = await aStuckCampaign(spend);
  const [request] = await receiver.requests(1);
  expect(request?.body).toMatchObject({ campaign: { id: next } });
});

it('places no new calls when a person stops it, and lets running ones finish', async () => {
  const assistant_id = await anAssistant(user, { ringing_time: 60 });
  const fields = { assistant_id, max_calls_in_parallel: 1, max_retries: 2, retry_interval: 10 };
  const [id, other] = [await aCampaign(user, fields), await aCampaign(user, fields)];
  const ringing = await aLead(user, id, { phone_number: '+15005550004' });
  const waiting = await aLead(user, id);
  const lead = async (of: number) =>
    (await user.client.get<{ data: TestLead }>(`/user/leads/${of}`)).body.data;
  await turn(id, 'start');
  await until(async () => (await lead(ringing.id)).status === 'processing');
  await turn(id, 'stop');
  const calls = () =>
    database().query<{ id: number; status: string }>('SELECT id, status FROM calls WHERE campaign_id = $1', [
      id,
    ]);
  await Carrier.shared().ringsOut((await calls()).rows[0]?.id ?? 0);
  await until(async () => (await lead(ringing.id)).status === 'rescheduled');
  await database().query('UPDATE leads SET due_at = now() WHERE id = $1', [ringing.id]);
  // The dialler has looked at what is due when a campaign that was started later has called.
  const later = await aLead(user, other);
  await turn(other, 'start');
  await until(async () => (await lead(later.id)).status === 'completed');
  expect(await lead(ringing.id)).toMatchObject({
    status: 'rescheduled',
    attempts: 1,
    last_outcome: 'no-answer',
  });
  expect(await lead(waiting.id)).toMatchObject({ status: 'created', attempts: 0 });
  expect((await calls()).rows).toMatchObject([{ status: 'no-answer' }]);
});

it('is stopped when it is deleted', async () => {
  const id = await aCampaign(user, { mark_complete_when_no_leads: false });
  await turn(id, 'start');
  expect((await user.client.delete(`/user/campaigns/${id}`)).status).toBe(200);
  const { rows } = await database().query(
    'SELECT status, deleted_at IS NOT NULL AS deleted FROM campaigns WHERE id = $1',
    [id],
  );
  expect(rows).toEqual([{ status: 'stopped', deleted: true }]);
});

it('notifies only assistants that subscribe to more than completed calls', async () => {
  await aStuckCampaign(spend, { send_webhook_only_on_completed: true });
  await topUp();
  const next = await aStuckCampaign(spend);
  const [request] = await receiver.requests(1);
  expect(request?.body).toMatchObject({ campaign: { id: next } });
});
