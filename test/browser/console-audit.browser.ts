import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anApiKey } from '../factories/api-key.js';
import { database } from '../support/database.js';
import {
  addressOf,
  button,
  ConsoleBench,
  consolePicture,
  notice,
  violations,
  visit,
} from '../support/console-bench.js';

let bench: ConsoleBench;
let account: TestAccount;
/** Created and revoked. */
let keyId: number;

beforeAll(async () => {
  bench = await ConsoleBench.start();
  account = await anAccount();
  ({ id: keyId } = await anApiKey(account, { name: 'CRM', scopes: ['read'] }));
  await account.client.delete(`/user/api-keys/${keyId}`);
  await account.client.post('/user/labels', { name: 'VIP' });
});

afterAll(() => bench.stop());

const row = (page: Page, name: RegExp) => page.getByRole('row', { name });

it.each(['light', 'dark'] as const)(
  'an entry of the audit log shows what it tells, in %s',
  async (scheme) => {
    const page = await bench.signedIn(account.token, '/audit-log', { colorScheme: scheme });
    await row(page, /^Label created/).waitFor();
    await page.getByRole('link', { name: 'API key created' }).click();
    const dialog = page.getByRole('dialog', { name: /^API key created · entry \d+$/ });
    for (const text of ['127.0.0.1', 'api-key.create', `API key ${keyId}`])
      await dialog.getByText(text, { exact: true }).waitFor();
    const details = await dialog.getByLabel('Details').innerText();
    expect(JSON.parse(details)).toEqual({ name: 'CRM', scopes: ['read'] });
    await consolePicture(page, `audit-entry-${scheme}`);
    expect(await violations(page)).toEqual([]);
    expect(new URL(page.url()).searchParams.get('entry')).toMatch(/^\d+$/);
    await dialog.getByRole('link', { name: 'All entries of it' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row(page, /^Label created/).waitFor({ state: 'detached' });
    expect(page.url()).toBe(addressOf(`/audit-log?resource_type=api-key&resource_id=${keyId}`));
    await row(page, /^API key revoked/).waitFor();
    await row(page, /^API key created/).waitFor();
    await page.context().close();
  },
);

it('the audit log is filtered, and exported with its filters', async () => {
  const page = await bench.signedIn(account.token, '/audit-log');
  await page.getByRole('combobox', { name: 'What' }).click();
  await page.getByRole('option', { name: 'API key revoked' }).click();
  await row(page, /^Label created/).waitFor({ state: 'detached' });
  await row(page, /^API key revoked/).waitFor();
  expect(page.url()).toBe(addressOf('/audit-log?action=api-key.delete'));
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Export').click()]);
  expect(file.suggestedFilename()).toBe('audit-log.csv');
  const lines = (await readFile(await file.path(), 'utf8')).trim().split(/\r?\n/);
  expect(lines.map((line) => /api-key\.\w+|label\.\w+|\baction\b/.exec(line)?.[0])).toEqual([
    'action',
    'api-key.delete',
  ]);
  await notice(page, /^The log is saved as a file/).waitFor();
  await visit(page, '/audit-log?date_from=2020-01-01&date_to=2020-01-01');
  await page.getByText('Nothing matches').waitFor();
  await visit(page, '/audit-log?key_id=me');
  await page.getByRole('alert').getByText('The key id field must be an integer.').waitFor();
  await page.context().close();
});

it('an account without entries says what will be listed', async () => {
  const { token } = await anAccount();
  const page = await bench.signedIn(token, '/audit-log');
  await page.getByText('No entries yet').waitFor();
  await page.context().close();
});

it('the addresses of a new API key are checked, stored and listed', async () => {
  const user = await anAccount();
  const page = await bench.signedIn(user.token, '/api-keys/new');
  await page.getByRole('textbox', { name: 'Name' }).fill('CRM');
  const addresses = page.getByRole('combobox', { name: 'May be used from' });
  const add = async (range: string): Promise<void> => {
    await addresses.fill(range);
    await addresses.press('Enter');
  };
  await add('203.0.113.0/33');
  await button(page, 'Create a key').click();
  await page.getByText(/must be a list of IP addresses and CIDR ranges/).waitFor();
  await addresses.press('Backspace');
  await add('203.0.113.0/24');
  await consolePicture(page, 'api-key-addresses');
  expect(await violations(page)).toEqual([]);
  await button(page, 'Create a key').click();
  await page.getByRole('link', { name: 'I have it: to the list' }).click();
  await row(page, /^CRM/).getByText('203.0.113.0/24', { exact: true }).waitFor();
  await page.context().close();
});

it('a key that was not used for 90 days is marked', async () => {
  const user = await anAccount();
  const { id } = await anApiKey(user, { name: 'Old', allowed_addresses: ['203.0.113.0/24', '2001:db8::1'] });
  await database().query(
    `UPDATE access_tokens SET created_at = now() - interval '91 days', last_used_at = now() - interval '91 days',
            last_used_address = '203.0.113.7' WHERE id = $1`,
    [id],
  );
  const page = await bench.signedIn(user.token, '/api-keys');
  const old = row(page, /^Old/);
  for (const text of ['unused', '203.0.113.0/24 and 1 more', '203.0.113.7'])
    await old.getByText(text, { exact: true }).waitFor();
  await page.getByText('1 key was not used for 90 days').waitFor();
  await consolePicture(page, 'api-keys-unused');
  expect(await violations(page)).toEqual([]);
  await button(page, 'Edit Old').click();
  const dialog = page.getByRole('dialog', { name: 'Edit “Old”' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Older');
  await consolePicture(page, 'api-key-edit');
  expect(await violations(page)).toEqual([]);
  await button(dialog, 'Save').click();
  await notice(page, 'The key is changed').waitFor();
  await row(page, /^Older/).waitFor();
  await page.context().close();
});
