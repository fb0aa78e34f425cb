import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, callWhen, HANGS_UP } from '../factories/call.js';
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

beforeAll(async () => {
  bench = await ConsoleBench.start();
  account = await anAccount();
});

afterAll(() => bench.stop());

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

it('an API key is created, shown once and revoked', async () => {
  const page = await bench.signedIn(account.token, '/api-keys');
  await page.getByRole('link', { name: 'Create a key' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('CRM');
  await page.getByLabel('calls', { exact: true }).check();
  expect(await violations(page)).toEqual([]);
  await button(page, 'Create a key').click();
  await page.getByRole('heading', { name: 'The key “CRM” is created' }).waitFor();
  const token = await page.getByLabel('Key', { exact: true }).innerText();
  await consolePicture(page, 'api-key-created');
  const client = account.client.withToken(token);
  expect((await client.get('/user/me')).status).toBe(200);
  expect((await client.post('/user/tools')).status).toBe(403);
  await page.getByRole('link', { name: 'I have it: to the list' }).click();
  await page.getByRole('row', { name: /CRM/ }).waitFor();
  expect(await page.getByText(token).count()).toBe(0);
  await button(page, 'Revoke CRM').click();
  await button(dialog(page, 'Revoke “CRM”?'), 'Revoke').click();
  await notice(page, '“CRM” is revoked').waitFor();
  expect((await client.get('/user/me')).status).toBe(401);
  await page.context().close();
});

it('a number that is not to be called is added, found and removed', async () => {
  const page = await bench.signedIn(account.token, '/suppressions');
  await button(page, 'Add a number').first().click();
  await dialog(page, 'Add a number').getByLabel('Number').fill('12');
  await button(page, 'Never call it').click();
  await page.getByRole('alert').waitFor();
  await dialog(page, 'Add a number').getByLabel('Number').fill('+15005550024');
  await button(page, 'Never call it').click();
  await page.getByRole('row', { name: /\+1 500 555 0024/ }).waitFor();
  await page.getByLabel('Number', { exact: true }).fill('0025');
  await page.getByText('Nothing matches').waitFor();
  expect(page.url()).toBe(addressOf('/suppressions?phone_number=0025'));
  await page.getByLabel('Number', { exact: true }).fill('0024');
  await button(page, 'Remove +1 500 555 0024').click();
  await button(dialog(page, /be called again\?$/), 'Remove').click();
  await notice(page, '+1 500 555 0024 may be called again').waitFor();
  await page.context().close();
});

it('a list of numbers is imported, and refused lines are named', async () => {
  const user = await anAccount();
  const page = await bench.signedIn(user.token, '/suppressions');
  await button(page, 'Import').click();
  await page.locator('input[type=file]').setInputFiles({
    name: 'list.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('phone_number,reason\n+15005550024,asked\n+15005550024,again\nnobody,?\n'),
  });
  await button(dialog(page, 'Import a list'), 'Import').click();
  await page.getByText('1 added, 1 was on the list before, 1 line was refused.').waitFor();
  await page.getByRole('row', { name: /^4 / }).waitFor();
  expect(await violations(page)).toEqual([]);
  await button(page, 'Done').click();
  await page.getByRole('row', { name: /\+1 500 555 0024/ }).waitFor();
  await page.context().close();
});

it('a number is bought for the price that is shown, named, and released', async () => {
  const user = await anAccount();
  const page = await bench.signedIn(user.token, '/numbers');
  await page.getByRole('link', { name: 'Buy a number' }).click();
  await button(page, /^Buy \+1/)
    .first()
    .waitFor();
  await consolePicture(page, 'numbers-buy');
  expect(await violations(page)).toEqual([]);
  const name =
    (await button(page, /^Buy \+1/)
      .first()
      .getAttribute('aria-label')) ?? '';
  const number = name.slice('Buy '.length);
  await button(page, name).click();
  await button(dialog(page, `Buy ${number} for $2.00?`), 'Buy for $2.00').click();
  await notice(page, `${number} is yours`).waitFor();
  expect((await user.client.get<{ total_balance: number }>('/user/me')).body.total_balance).toBe(98);
  await button(page, `Name ${number}`).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Reception');
  await button(page, 'Save').click();
  const row = page.getByRole('row', { name: /Reception/ });
  await row.waitFor();
  await button(row, `Release ${number}`).click();
  await button(dialog(page, `Release ${number}?`), 'Release').click();
  await notice(page, `${number} is released`).waitFor();
  await row.waitFor({ state: 'detached' });
  await page.context().close();
});

it('the segments and the price of a message are shown before it is sent, and are what is charged', async () => {
  const page = await bench.signedIn(account.token, '/messages/new');
  await page.getByRole('textbox', { name: 'To', exact: true }).fill('+15005550006');
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('a'.repeat(161));
  await page.getByText('2 segments, 2 × $0.075 = $0.15 · 139 more characters fit').waitFor();
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill(`${'a'.repeat(69)}ж`);
  await page.getByText('1 segment, 1 × $0.075 = $0.075').waitFor();
  await consolePicture(page, 'message-new');
  expect(await violations(page)).toEqual([]);
  await button(page, 'Send').click();
  await notice(page, 'The message is sent').waitFor();
  const row = page.getByRole('row', { name: /aaaж/ });
  await row.getByText('$0.075').waitFor();
  expect(page.url()).toBe(addressOf('/messages'));
  const { body } = await account.client.get<{ data: { segments: number; total_cost: number }[] }>(
    '/user/sms',
  );
  expect(body.data[0]).toMatchObject({ segments: 1, total_cost: 0.075 });
  await page.context().close();
});

it("a message that the carrier refuses shows the carrier's reason, and stays in the form", async () => {
  const page = await bench.signedIn(account.token, '/messages/new');
  await page.getByRole('textbox', { name: 'To', exact: true }).fill('+15005550001');
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Hello');
  await button(page, 'Send').click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('textbox', { name: 'Text', exact: true }).inputValue()).toBe('Hello');
  await page.context().close();
});

it('a person takes over a conversation, returns it and ends it', async () => {
  const assistantId = await anAssistant(account);
  const reply = {
    assistant_id: assistantId,
    customer_identifier: 'crm-4711',
    message: '<b>When do you open?</b>',
  };
  expect((await account.client.post('/user/ai/generate-reply', reply)).status).toBe(200);
  const page = await bench.signedIn(account.token, '/conversations');
  await page.getByRole('link', { name: 'crm-4711' }).click();
  await page.getByRole('list', { name: 'Transcript' }).getByText('<b>When do you open?</b>').waitFor();
  await consolePicture(page, 'conversation');
  expect(await violations(page)).toEqual([]);
  await button(page, 'Switch the assistant off').click();
  await page.getByText('answered by people').waitFor();
  const { body } = await account.client.post<{ ai_disabled: boolean }>('/user/ai/generate-reply', {
    ...reply,
    message: 'Anybody there?',
  });
  expect(body.ai_disabled).toBe(true);
  await page.getByRole('list', { name: 'Transcript' }).getByText('Anybody there?').waitFor();
  await button(page, 'Let the assistant answer').click();
  await page.getByText('The assistant answers.', { exact: true }).waitFor();
  await button(page, 'End').click();
  await button(dialog(page, 'End this conversation?'), 'End it').click();
  await notice(page, 'The conversation is over').waitFor();
  await page.getByText('It is over.', { exact: true }).waitFor();
  expect(await button(page, 'End').count()).toBe(0);
  await page.context().close();
});

it('the balance is shown with every movement and its purpose', async () => {
  const user = await anAccount({ balance: 50 });
  const { id } = user.phoneNumber;
  const sms = { from: id, to: '+15005550006', body: 'Hello' };
  expect((await user.client.post('/user/sms', sms)).status).toBe(200);
  const page = await bench.signedIn(user.token, '/balance');
  const row = page.getByRole('table', { name: 'Balance', exact: true }).getByRole('row', { name: /Message/ });
  await row.getByText('-$0.075').waitFor();
  await row.getByText('$49.93').waitFor();
  // For who cannot see the plot.
  const days = page.getByRole('table', { name: /^The balance at the end of each day/ });
  const today = days.getByRole('row').last();
  await today.getByText('$49.93').waitFor({ state: 'attached' });
  expect(await today.getByRole('cell').allInnerTexts()).toEqual(['$49.93', '$50.00', '$0.075']);
  expect(await days.getByRole('row').count()).toBe(1 + 30);
  await page.getByText('$50.00 added and $0.075 taken.').waitFor();
  await consolePicture(page, 'balance-movements');
  expect(await violations(page)).toEqual([]);
  await page.context().close();
});

it('movements are found by purpose, by day and by call', async () => {
  const user = await anAccount({ balance: 50 });
  const assistantId = await anAssistant(user);
  const callId = await aCall(user, assistantId, { phoneNumber: HANGS_UP });
  await callWhen(user, callId, ({ status }) => status === 'completed');
  const page = await bench.signedIn(user.token, '/balance');
  const rows = page.getByRole('table', { name: 'Balance', exact: true }).locator('tbody tr');
  await rows
    .filter({ hasText: `Call ${callId}` })
    .first()
    .waitFor();
  await page.getByRole('combobox', { name: 'For' }).click();
  await page.getByRole('option', { name: 'Top-up' }).click();
  await rows.filter({ hasText: 'Top-up' }).waitFor();
  // The rows of before may still be shown.
  await rows.nth(1).waitFor({ state: 'detached' });
  expect(page.url()).toBe(addressOf('/balance?kind=top-up'));
  await visit(page, '/balance?date_from=2020-01-01&date_to=2020-01-01');
  await page.getByText('Nothing matches').waitFor();
  await visit(page, '/balance');
  await page.getByLabel('Call (id)').fill(String(callId));
  await rows.filter({ hasText: 'Top-up' }).waitFor({ state: 'detached' });
  await rows
    .filter({ hasText: `Call ${callId}` })
    .first()
    .waitFor();
  // A click on the plot selects the day below it.
  await page.getByText('1 year').click();
  const days = page.getByRole('table', { name: /^The balance at the end of each day/ });
  await days.getByRole('row').nth(365).waitFor({ state: 'attached' });
  const plot = page.locator('.u-over');
  const { width = 0, height = 0 } = (await plot.boundingBox()) ?? {};
  await plot.click({ position: { x: width - 20, y: height / 2 } });
  await page.waitForURL(/date_from=/);
  const { searchParams } = new URL(page.url());
  expect(searchParams.get('date_from')).toBe(searchParams.get('date_to'));
  await page.context().close();
});

it('what a key and the account may spend in an hour is shown and changed', async () => {
  const user = await anAccount({ balance: 50 });
  const page = await bench.signedIn(user.token, '/api-keys/new');
  await page.getByRole('textbox', { name: 'Name' }).fill('Reminders');
  await page.getByRole('textbox', { name: 'May spend in an hour' }).fill('2.5');
  await button(page, 'Create a key').click();
  await page.getByRole('link', { name: 'I have it: to the list' }).click();
  const row = page.getByRole('row', { name: /Reminders/ });
  await row.getByText('$0.00 of $2.50').waitFor();
  await button(row, 'Edit Reminders').click();
  const limit = dialog(page, 'Edit “Reminders”').getByRole('textbox', { name: 'May spend in an hour' });
  expect(await limit.inputValue()).toBe('2.5');
  await limit.fill('');
  expect(await violations(page)).toEqual([]);
  await button(page, 'Save').click();
  await notice(page, 'The key is changed').waitFor();
  await row.getByText('$0.00', { exact: true }).waitFor();

  await visit(page, '/balance');
  await page.getByText('Spent this hour').waitFor();
  await button(page, 'Limit').click();
  await page.getByRole('textbox', { name: 'May spend in an hour' }).fill('0.5');
  expect(await violations(page)).toEqual([]);
  await button(page, 'Save').click();
  await notice(page, 'The limit is changed').waitFor();
  await page.getByText('of $0.50 that may be spent').waitFor();
  await consolePicture(page, 'balance-limit');
  const { body } = await user.client.get<{ data: { spend_limit_per_hour: number } }>('/user/spend-limit');
  expect(body.data.spend_limit_per_hour).toBe(0.5);
  await page.context().close();
});
