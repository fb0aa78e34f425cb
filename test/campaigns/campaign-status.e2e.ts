import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCampaign } from '../factories/campaign.js';
import { database } from '../support/database.js';
import { asleep } from '../support/dialling.js';

describe('starting and stopping a campaign', () => {
  let one: TestAccount;

  /** Without leads to call, it stays as it is: only the status is looked at here. */
  const idle = { mark_complete_when_no_leads: false };

  const turn = async (
    account: TestAccount,
    campaign_id: unknown,
    action: unknown,
  ): Promise<[number, unknown]> => {
    const answer = await account.client.post('/user/campaigns/update-status', { campaign_id, action });
    return [answer.status, answer.body];
  };
  const started = (campaign_id: number) => [
    200,
    {
      message: 'Campaign started successfully.',
      success: true,
      data: { campaign_id, status: 'in-progress' },
    },
  ];
  const stopped = (campaign_id: number, status: string) => [
    200,
    { message: 'Campaign stopped successfully.', success: true, data: { campaign_id, status } },
  ];
  const refused = (campaign_id: number, message: string) => [
    400,
    { message, success: false, data: { campaign_id, status: 'draft' } },
  ];
  const withoutNumbers = (account: TestAccount) =>
    database().query(
      `UPDATE phone_numbers SET subscription_expires_at = now() - interval '1 day' WHERE account_id = $1`,
      [account.id],
    );
  const setStatus = (id: number, status: string) =>
    database().query('UPDATE campaigns SET status = $2 WHERE id = $1', [id, status]);

  beforeAll(async () => {
    one = await anAccount();
  });

  it('succeeds, and is idempotent', async () => {
    const id = await aCampaign(one, idle);
    expect(await turn(one, id, 'start')).toEqual(started(id));
    expect(await turn(one, id, 'start')).toEqual(started(id));
    expect(await turn(one, id, 'stop')).toEqual(stopped(id, 'stopped'));
    expect(await turn(one, id, 'stop')).toEqual(stopped(id, 'stopped'));
    expect(await turn(one, id, 'start')).toEqual(started(id));
    await turn(one, id, 'stop');
  });

  it('restarts a completed campaign; stopping does not change a draft or completed one', async () => {
    const id = await aCampaign(one, idle);
    expect(await turn(one, id, 'stop')).toEqual(stopped(id, 'draft'));
    await setStatus(id, 'completed');
    expect(await turn(one, id, 'stop')).toEqual(stopped(id, 'completed'));
    expect(await turn(one, id, 'start')).toEqual(started(id));
    await turn(one, id, 'stop');
  });

  it('keeps the status when settings are updated', async () => {
    const id = await aCampaign(one, idle);
    await turn(one, id, 'start');
    await one.client.put(`/user/campaigns/${id}`, { name: 'Running', status: 'draft' });
    expect((await one.client.get(`/user/campaigns/${id}`)).body).toMatchObject({
      data: { name: 'Running', status: 'in-progress' },
    });
    await turn(one, id, 'stop');
  });

  it('checks the balance first, then the number, then the assistant', async () => {
    const account = await anAccount({ balance: 0 });
    const assistant_id = await anAssistant(account);
    const id = await aCampaign(account, { assistant_id });
    await withoutNumbers(account);
    await account.client.put(`/user/assistant/${assistant_id}`, { status: 'inactive' });
    const topUp = 'Insufficient balance to start the campaign. Please top up your account.';
    expect(await turn(account, id, 'start')).toEqual(refused(id, topUp));
    await database().query('UPDATE accounts SET balance_micros = 1 WHERE id = $1', [account.id]);
    expect(await turn(account, id, 'start')).toEqual(refused(id, 'There is no phone number to call from.'));
    await database().query('UPDATE phone_numbers SET subscription_expires_at = NULL WHERE account_id = $1', [
      account.id,
    ]);
    expect(await turn(account, id, 'start')).toEqual(refused(id, 'The assistant is not active.'));
  });

  it('refuses with an assistant that is deleted or becomes an inbound one', async () => {
    const [gone, inbound] = await Promise.all([anAssistant(one), anAssistant(one)]);
    const first = await aCampaign(one, { assistant_id: gone });
    const second = await aCampaign(one, { assistant_id: inbound });
    await one.client.delete(`/user/assistant/${gone}`);
    await one.client.put(`/user/assistant/${inbound}`, { calls_direction: 'receive' });
    expect(await turn(one, first, 'start')).toEqual(refused(first, 'The assistant is not active.'));
    expect(await turn(one, second, 'start')).toEqual(
      refused(second, 'The assistant is not an outbound assistant.'),
    );
  });

  it('succeeds for a running campaign that could not be started now', async () => {
    const account = await anAccount();
    const id = await aCampaign(account, idle);
    await turn(account, id, 'start');
    // The dialler has looked and does not look again: it would stop a campaign without a number.
    await asleep(id);
    await withoutNumbers(account);
    expect(await turn(account, id, 'start')).toEqual(started(id));
    await turn(account, id, 'stop');
  });

  it.each([
    [undefined, 'start', { campaign_id: ['The campaign id field is required.'] }],
    ['x', 'start', { campaign_id: ['The campaign id field must be an integer.'] }],
    [0, 'start', { campaign_id: ['The campaign id field must be between 1 and 2147483647.'] }],
    [1, undefined, { action: ['The action field is required.'] }],
    [1, 'pause', { action: ['The selected action is invalid.'] }],
  ])('refuses %j, %j', async (campaign_id, action, errors) => {
    expect(await turn(one, campaign_id, action)).toEqual([
      422,
      { message: 'The given data was invalid.', errors },
    ]);
  });
});
