import { expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, type TestLead } from '../factories/lead.js';
import { Carrier } from '../support/carrier.js';
import { database } from '../support/database.js';
import { until } from '../support/until.js';

/** Does not answer: its call rings for as long as the assistant lets it. */
const RINGS_OUT = '+15005550004';
const BUSY = '+15005550003';

interface Ringing {
  user: TestAccount;
  assistant_id: number;
  campaign: number;
  /** Its id. */
  lead: number;
}

const carrier = Carrier.shared();

/** A lead whose call rings until `ringsOut`, in an account of its own: an account calls a number once at a time. */
async function ringing(fields: Record<string, unknown> = {}): Promise<Ringing> {
  const user = await anAccount();
  const assistant_id = await anAssistant(user, { ringing_time: 60 });
  const campaign = await aCampaign(user, { assistant_id, max_retries: 1, ...fields });
  const { id } = await aLead(user, campaign, { phone_number: RINGS_OUT });
  await user.client.post('/user/campaigns/update-status', { campaign_id: campaign, action: 'start' });
  const all = { user, assistant_id, campaign, lead: id };
  await until(async () => (await get(all)).status === 'processing');
  return all;
}

const get = async ({ user, lead }: Ringing) =>
  (await user.client.get<{ data: TestLead }>(`/user/leads/${lead}`)).body.data;
const put = ({ user, lead }: Ringing, fields: Record<string, unknown>) =>
  user.client.put(`/user/leads/${lead}`, fields);
const calls = async ({ lead }: Ringing) =>
  (
    await database().query<{ id: number; to: string; created_at: Date; ended_at: Date | null }>(
      'SELECT id, client_phone_number AS "to", created_at, ended_at FROM calls WHERE lead_id = $1 ORDER BY id',
      [lead],
    )
  ).rows;
/** The newest call of the lead was not answered. */
const ringsOut = async (one: Ringing) => carrier.ringsOut((await calls(one)).at(-1)?.id ?? 0);

/** After its call the lead has an outcome, whatever its status is. */
const settled = (one: Ringing) => until(async () => (await get(one)).last_outcome !== null);

it.concurrent('created: is called again after the call, which does not settle it', async () => {
  const one = await ringing();
  expect((await put(one, { status: 'created' })).status).toBe(200);
  expect([(await get(one)).status, (await calls(one)).length]).toEqual(['processing', 1]);
  await ringsOut(one);
  const [first, second] = await until(async () => {
    const made = await calls(one);
    return made.length === 2 && made;
  });
  expect(second?.created_at.getTime()).toBeGreaterThanOrEqual(first?.ended_at?.getTime() ?? Infinity);
  await ringsOut(one);
  await until(async () => (await get(one)).status === 'reached-max-retries');
  expect(await get(one)).toMatchObject({ attempts: 1, last_outcome: 'no-answer' });
  expect(await calls(one)).toHaveLength(2);
});

it.concurrent('completed, also after created: holds', async () => {
  const one = await ringing({ max_retries: 2 });
  await put(one, { status: 'created' });
  await put(one, { status: 'completed' });
  await ringsOut(one);
  await settled(one);
  expect(await get(one)).toMatchObject({
    status: 'completed',
    last_outcome: 'no-answer',
    next_attempt_at: null,
  });
});

it.concurrent('a new number: it is called next, without the pause, and has no earlier attempts', async () => {
  const one = await ringing();
  await put(one, { phone_number: BUSY });
  await ringsOut(one);
  await until(async () => (await get(one)).status === 'reached-max-retries');
  expect(await get(one)).toMatchObject({ attempts: 1, last_outcome: 'busy' });
  expect((await calls(one)).map(({ to }) => to)).toEqual([RINGS_OUT, BUSY]);
});

it.concurrent('moved, and its old campaign deleted: counts by its new campaign', async () => {
  const one = await ringing({ max_retries: 1 });
  const target = await aCampaign(one.user, { assistant_id: one.assistant_id, max_retries: 2 });
  await put(one, { campaign_id: target });
  await one.user.client.delete(`/user/campaigns/${one.campaign}`);
  await ringsOut(one);
  await settled(one);
  expect(await get(one)).toMatchObject({
    status: 'rescheduled',
    attempts: 1,
    last_outcome: 'no-answer',
    next_attempt_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
  });
});

it.concurrent('the slot of a call is free in the statement that ends the call', async () => {
  const { user, lead } = await ringing();
  const isPlaced = `SELECT 1 FROM call_attempts WHERE lead_id = $1 AND state = 'placed'`;
  await until(async () => (await database().query(isPlaced, [lead])).rowCount === 1);
  const rows = await database().query<{ state: string }>(
    `WITH ended AS (UPDATE calls SET status = 'failed', hold_micros = 0, ended_at = now() WHERE lead_id = $1)
     SELECT state FROM call_attempts WHERE lead_id = $1`,
    [lead],
  );
  const now = await database().query<{ state: string }>(
    'SELECT state FROM call_attempts WHERE account_id = $1',
    [user.id],
  );
  expect([rows.rows, now.rows]).toEqual([[{ state: 'placed' }], [{ state: 'closed' }]]);
});
