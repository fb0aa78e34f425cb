import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { freePort } from '#src/embedded/free-port.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead } from '../factories/lead.js';
import { CarrierBench } from '../support/carrier-bench.js';
import { anAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { until } from '../support/until.js';

let bench: CarrierBench;

beforeAll(async () => {
  // Nobody listens there, from the start of the service on.
  bench = await CarrierBench.start(undefined, 80, { REDIS_URL: `redis://127.0.0.1:${await freePort()}` });
});
afterAll(() => bench.stop());

it('dials, wraps up and completes a campaign without any Redis', async () => {
  const user = await anAccount({ service: bench });
  const assistant_id = await anAssistant(user, { max_silence_duration: 1 });
  const id = await aCampaign(user, { assistant_id, max_calls_in_parallel: 1 });
  for (const phone_number of ['+15005550020', '+15005554020']) await aLead(user, id, { phone_number });
  await user.client.post('/user/campaigns/update-status', { campaign_id: id, action: 'start' });
  const campaign = await until(async () => {
    const { body } = await user.client.get<{ data: { status: string; stats: unknown } }>(
      `/user/campaigns/${id}`,
    );
    return body.data.status === 'completed' && body.data;
  });
  expect(campaign.stats).toMatchObject({ leads: { completed: 2 }, calls: { completed: 2 } });
});
