import { beforeAll, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, type TestLead } from '../factories/lead.js';
import { until } from '../support/until.js';

const ASKS_NOT_TO_BE_CALLED = '+15005550024';
const GOAL_MISSED = { retry_on_goal_incomplete: true, goal_completion_variable: 'status' };

let user: TestAccount;
beforeAll(async () => {
  user = await anAccount();
});

/** Of the only lead, after its first call. */
async function outcome(phone_number: string, fields: Record<string, unknown> = {}): Promise<string> {
  const campaign_id = await aCampaign(user, fields);
  await aLead(user, campaign_id, { phone_number });
  await user.client.post('/user/campaigns/update-status', { campaign_id, action: 'start' });
  return until(async () => {
    const { body } = await user.client.get<TestLead[]>(`/user/leads?campaign_id=${campaign_id}`);
    const status = body[0]?.status ?? '';
    return ['created', 'processing'].includes(status) ? null : status;
  });
}

it('is blacklisted when the person asks not to be called again, also where a goal was missed', async () => {
  expect(await outcome(ASKS_NOT_TO_BE_CALLED, GOAL_MISSED)).toBe('blacklisted');
});
