import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { strFromU8, unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anApiKey } from '../factories/api-key.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, type TestLead } from '../factories/lead.js';
import { button, ConsoleBench, consolePicture, notice, ready, violations } from '../support/console-bench.js';
import { database } from '../support/database.js';

let bench: ConsoleBench;
let account: TestAccount;

beforeAll(async () => {
  bench = await ConsoleBench.start();
});
beforeEach(async () => {
  account = await anAccount();
});
afterAll(() => bench.stop());

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const someone = async (): Promise<TestLead> => aLead(account, await aCampaign(account));
const total = async (path: string): Promise<number> =>
  (await account.client.get<{ total: number }>(path)).body.total;

it('a person is erased once it is confirmed, and what was erased is counted', async () => {
  const lead = await someone();
  const page = await bench.signedIn(account.token, '/personal-data');
  await page.getByText('No erasures yet').waitFor();
  await page.getByRole('link', { name: 'Erase a person’s data' }).first().click();
  const number = page.getByRole('textbox', { name: 'Phone number' });
  await number.fill('nobody');
  await button(page, 'Erase').click();
  await button(dialog(page, 'Erase everything of nobody?'), 'Erase for good').click();
  await page.getByRole('alert').waitFor();
  expect(await number.getAttribute('aria-invalid')).toBe('true');
  await number.fill(lead.phone_number);
  await button(page, 'Erase').click();
  const sure = dialog(page, /^Erase everything of \+1 \d{3} 555 \d{4}\?$/);
  await sure.getByText(/cannot be brought back/).waitFor();
  await consolePicture(page, 'erasure-question');
  expect(await violations(page)).toEqual([]);
  await button(sure, 'Cancel').click();
  await sure.waitFor({ state: 'detached' });
  expect(await total('/user/erasures')).toBe(0);
  await button(page, 'Erase').click();
  await button(sure, 'Erase for good').click();
  await notice(page, /^The erasure of \+\*+\d\d has begun$/).waitFor();
  const job = dialog(page, /^Erasure \d+ · \+\*+\d\d$/);
  await job.getByText('done', { exact: true }).waitFor();
  await job.getByRole('row', { name: /^Leads and contacts\s+1$/ }).waitFor();
  await job.getByText('never: it stays on the list “Do not call”').waitFor();
  await consolePicture(page, 'erasure-done');
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('row', { name: /done.*Leads and contacts 1/ }).waitFor();
  expect((await account.client.get(`/user/leads/${lead.id}`)).status).toBe(404);
  expect(await page.getByText(lead.phone_number).count()).toBe(0);
  await page.context().close();
});

it('a running erasure shows what it waits for and what it has erased, until it is over', async () => {
  const { rows } = await database().query<{ id: number }>(
    `INSERT INTO personal_data_jobs (account_id, kind, status, masked_number, counts, waits_for, due_at)
     VALUES ($1, 'erasure', 'running', '+*********23', '{"calls": 2}', 'recordings', NULL) RETURNING id`,
    [account.id],
  );
  const id = rows[0]?.id;
  const page = await bench.signedIn(account.token, `/personal-data?job=${id}`);
  const job = dialog(page, `Erasure ${id} · +*********23`);
  await job.getByText('Waits until its recordings are deleted.').waitFor();
  await job.getByRole('row', { name: /^Calls\s+2$/ }).waitFor();
  await consolePicture(page, 'erasure-running');
  expect(await violations(page)).toEqual([]);
  await database().query(
    `UPDATE personal_data_jobs SET counts = '{"calls": 3, "turns": 12}', waits_for = NULL, status = 'failed',
       error = 'The carrier did not answer.', finished_at = now() WHERE id = $1`,
    [id],
  );
  await job.getByRole('row', { name: /^Turns of calls\s+12$/ }).waitFor();
  await job.getByRole('alert').getByText('The carrier did not answer.').waitFor();
  expect(await job.getByText('Waits until its recordings are deleted.').count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.getByRole('row', { name: /failed.*Calls 3, Turns of calls 12/ }).waitFor();
  await page.context().close();
});

it('the data of a person is exported and downloaded, as long as it is kept', async () => {
  const lead = await someone();
  const page = await bench.signedIn(account.token, '/personal-data');
  await page.getByRole('tab', { name: 'Exports' }).click();
  await page.getByText('No exports yet').waitFor();
  await button(page, 'Export a person’s data').first().click();
  const form = dialog(page, 'Export a person’s data');
  await form.getByRole('textbox', { name: 'Phone number' }).fill(lead.phone_number);
  await consolePicture(page, 'export-new');
  expect(await violations(page)).toEqual([]);
  await button(form, 'Export').click();
  const job = dialog(page, /^Export \d+ · \+\*+\d\d$/);
  const [file] = await Promise.all([page.waitForEvent('download'), button(job, 'Download').click()]);
  expect(file.suggestedFilename()).toMatch(/^export-\d+\.zip$/);
  const files = unzipSync(new Uint8Array(await readFile(await file.path())));
  expect(strFromU8(files['leads.json'] ?? new Uint8Array())).toContain(lead.phone_number);
  await notice(page, /^The archive is saved as a file/).waitFor();
  await consolePicture(page, 'export-done');
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await button(page, /^Download the data of \+\*+\d\d$/).waitFor();
  await database().query(
    `UPDATE personal_data_jobs SET expires_at = now() - interval '1 minute', phone_number = NULL
      WHERE account_id = $1`,
    [account.id],
  );
  await page.reload();
  await ready(page);
  expect(await button(page, /^Download the data of/).count()).toBe(0);
  await page.getByRole('row').nth(1).getByRole('link').click();
  await job.getByText(/^The archive is no longer kept\./).waitFor();
  await page.context().close();
});

it('a job that is not there, a list that fails and a key without the scope are said', async () => {
  const page = await bench.signedIn(account.token, '/personal-data?job=999999999');
  await dialog(page, 'Job').getByRole('alert').getByText('Erasure not found.').waitFor();
  await page.keyboard.press('Escape');
  await page.route(/\/user\/exports(\?|$)/, (route) =>
    route.fulfill({ status: 500, json: { message: 'Something failed' } }),
  );
  await page.getByRole('tab', { name: 'Exports' }).click();
  await page.getByRole('alert').getByText('Something failed.').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.context().close();
  const { token } = await anApiKey(account, { scopes: ['read', 'write'] });
  const refused = await bench.signedIn(token, '/personal-data');
  await refused.getByText('The key has no scope “admin”: use another one.').waitFor();
  const navigation = refused.getByRole('navigation');
  expect(await navigation.getByRole('link', { name: 'Personal data' }).count()).toBe(0);
  expect(await violations(refused)).toEqual([]);
  await refused.context().close();
});
