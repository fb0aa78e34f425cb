import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { aCampaign } from '../factories/campaign.js';
import { fillLeads, OwnService } from '../support/own-service.js';
import { until } from '../support/until.js';

const LEADS = 2_000;

let own: OwnService;
beforeAll(async () => {
  own = await OwnService.start();
});
afterAll(() => own.stop());

it('continues after a kill when the lock of a lead delays it', async () => {
  const account = await own.account();
  const campaignId = await aCampaign(account);
  const first = await fillLeads(own.db, account, campaignId, LEADS);
  const left = async (): Promise<number> => {
    const { rows } = await own.db.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM leads WHERE campaign_id = $1',
      [campaignId],
    );
    return rows[0]?.n ?? 0;
  };
  expect(await left()).toBe(LEADS);
  const lock = await own.holding('SELECT 1 FROM leads WHERE id = $1 FOR UPDATE', [first]);
  try {
    expect((await account.client.delete(`/user/campaigns/${campaignId}`)).status).toBe(200);
    await until(async () => (await left()) === 1);
    await own.restart();
  } finally {
    await lock.release();
  }
  await until(async () => (await left()) === 0);
});
