import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anAccount, type TestAccount } from '../factories/account.js';
import { aCampaign } from '../factories/campaign.js';
import { aNumber } from '../factories/lead.js';
import { button, ConsoleBench, consolePicture, violations } from '../support/console-bench.js';

let bench: ConsoleBench;
let account: TestAccount;

beforeAll(async () => {
  bench = await ConsoleBench.start();
});

beforeEach(async () => {
  account = await anAccount();
  await aCampaign(account, { name: 'Check-ups' });
});

afterAll(() => bench.stop());

/** Line 1 is the header: three of the lines below it, 5, 9 and 14, are refused. */
const BAD: Record<number, string> = { 5: '12', 9: 'ask at the desk', 14: '' };
const LINES = Array.from({ length: 20 }, (_, n) => `${BAD[n + 2] ?? aNumber()};Person ${n + 2};Thursday`);
const FILE = ['phone number;name;day', ...LINES, ''].join('\r\n');

const storedLeads = async (): Promise<number> =>
  (await account.client.get<unknown[]>('/user/leads')).body.length;

async function choose(page: Page, text = FILE): Promise<void> {
  await page.locator('input[type=file]').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(text),
  });
  await button(page, 'Continue').click();
}

/** Number, column, value and problem of each line that the table shows. */
async function shownErrors(page: Page): Promise<string[]> {
  const table = page.getByRole('table', { name: 'What is wrong' });
  // The values are read from the file.
  await table.getByText('ask at the desk').waitFor();
  const rows = await table.locator('tbody tr').allInnerTexts();
  return rows.map((row) => row.replace(/\s+/g, ' '));
}

const EXPECTED = [/^5 phone number 12 The /, /^9 phone number ask at the desk The /, /^14 phone number The /];

it('the lines with an error are shown before anything is written, and are a file after it', async () => {
  const page = await bench.signedIn(account.token, '/leads/import');
  await choose(page);
  await page.getByRole('row', { name: /^phone number/ }).waitFor();
  await consolePicture(page, 'import-columns');
  expect(await violations(page)).toEqual([]);
  await button(page, 'Check the file').click();
  await page.getByText('17 leads will be imported').waitFor();
  await page.getByText('3 lines will be refused.').waitFor();
  const preview = await shownErrors(page);
  expect(preview).toEqual(EXPECTED.map((line): unknown => expect.stringMatching(line)));
  await consolePicture(page, 'import-check');
  expect(await violations(page)).toEqual([]);
  expect(await storedLeads()).toBe(0);

  await button(page, 'Import 17 leads').click();
  await page.getByText('17 leads imported').waitFor();
  expect(await storedLeads()).toBe(17);
  expect(await shownErrors(page)).toEqual(preview);
  await consolePicture(page, 'import-result');
  expect(await violations(page)).toEqual([]);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    button(page, 'Refused lines as CSV (3)').click(),
  ]);
  expect(file.suggestedFilename()).toBe('people-refused.csv');
  const [header, ...lines] = (await readFile(await file.path(), 'utf8')).replace('\uFEFF', '').split('\r\n');
  expect(header).toBe('phone number;name;day;line;problem');
  expect(lines).toEqual([
    expect.stringMatching(/^12;Person 5;Thursday;5;.+/),
    expect.stringMatching(/^ask at the desk;Person 9;Thursday;9;.+/),
    expect.stringMatching(/^;Person 14;Thursday;14;.+/),
    '',
  ]);
  await page.context().close();
});

it('the result stays when another campaign is created meanwhile', async () => {
  const page = await bench.signedIn(account.token, '/leads/import');
  await choose(page);
  await button(page, 'Check the file').click();
  await button(page, 'Import 17 leads').waitFor();
  await aCampaign(account, { name: 'Recalls' });
  // The campaigns are read again after the import.
  const campaigns = page.waitForResponse((response) => response.url().endsWith('/user/campaigns'));
  await button(page, 'Import 17 leads').click();
  await (await campaigns).finished();
  await page.getByText('17 leads imported').waitFor();
  await page.getByRole('link', { name: 'To the campaign' }).click();
  await page.getByRole('heading', { level: 1, name: 'Check-ups' }).waitFor();
  await page.context().close();
});
