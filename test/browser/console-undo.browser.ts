import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anAccount, type TestAccount } from '../factories/account.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead } from '../factories/lead.js';
import { button, ConsoleBench, consolePicture, notice, violations } from '../support/console-bench.js';

const DAY_MS = 86_400_000;

let bench: ConsoleBench;
let account: TestAccount;

beforeAll(async () => {
  bench = await ConsoleBench.start();
  account = await anAccount();
});

afterAll(() => bench.stop());

/** The notice of an earlier undo may still be open: callers wait for what the page shows then. */
const undo = async (page: Page): Promise<void> => {
  await button(page, 'Undo').click();
  await notice(page, 'It is as before').first().waitFor();
};

it('a number that is removed from the list is added again', async () => {
  await account.client.post('/user/suppressions', { phone_number: '+15005550024', reason: 'asked' });
  const page = await bench.signedIn(account.token, '/suppressions');
  await button(page, 'Remove +1 500 555 0024').click();
  await button(page.getByRole('dialog'), 'Remove').click();
  await notice(page, '+1 500 555 0024 may be called again').waitFor();
  await page.getByText('No number is on the list').waitFor();
  await consolePicture(page, 'undo');
  expect(await violations(page)).toEqual([]);
  await undo(page);
  await page.getByRole('row', { name: /\+1 500 555 0024 asked/ }).waitFor();
  await page.context().close();
});

it('a campaign gets its former settings back, and continues after a stop', async () => {
  const id = await aCampaign(account, { name: 'Spring offer' });
  const lead = await aLead(account, id);
  // Nobody is called during the test.
  const scheduled_at = new Date(Date.now() + DAY_MS).toISOString().slice(0, 19).replace('T', ' ');
  await account.client.post(`/user/leads/${lead.id}/schedule`, { scheduled_at });
  await account.client.post('/user/campaigns/update-status', { campaign_id: id, action: 'start' });
  const stored = async () => (await account.client.get<{ data: object }>(`/user/campaigns/${id}`)).body.data;
  const page = await bench.signedIn(account.token, `/campaigns/${id}/edit`);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Autumn offer');
  await button(page, 'Save').click();
  await page.getByRole('heading', { level: 1, name: 'Autumn offer' }).waitFor();
  await undo(page);
  await page.getByRole('heading', { level: 1, name: 'Spring offer' }).waitFor();
  expect(await stored()).toMatchObject({ name: 'Spring offer', status: 'in-progress' });

  await button(page, 'Stop').click();
  await button(page.getByRole('dialog'), 'Stop').click();
  await notice(page, 'The campaign is stopped').waitFor();
  await button(page, 'Start').waitFor();
  expect(await stored()).toMatchObject({ status: 'stopped' });
  await undo(page);
  await button(page, 'Stop').waitFor();
  expect(await stored()).toMatchObject({ status: 'in-progress' });
  await page.context().close();
});
