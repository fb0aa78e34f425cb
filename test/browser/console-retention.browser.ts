import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anApiKey } from '../factories/api-key.js';
import { anAssistant } from '../factories/assistant.js';
import {
  addressOf,
  button,
  ConsoleBench,
  consolePicture,
  notice,
  violations,
} from '../support/console-bench.js';

let bench: ConsoleBench;
let account: TestAccount;

beforeAll(async () => {
  bench = await ConsoleBench.start();
});
beforeEach(async () => {
  account = await anAccount();
});
afterAll(() => bench.stop());

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const question = (page: Page) => page.getByRole('dialog', { name: 'Remove what is older?' });

async function storedRules(): Promise<Record<string, unknown>> {
  return (await account.client.get<{ data: Record<string, unknown> }>('/user/retention')).body.data;
}

it.each(['light', 'dark'] as const)(
  'a shorter time is saved once what it removes is confirmed, in %s',
  async (colorScheme) => {
    await account.client.put('/user/retention', { transcripts_days: 90 });
    const page = await bench.signedIn(account.token, '/retention', { colorScheme });
    expect(await field(page, 'Transcripts').inputValue()).toBe('90 days');
    await field(page, 'Transcripts').fill('30');
    await page.getByRole('switch', { name: /^Mask numbers/ }).check();
    const removals = page.getByRole('status').getByRole('listitem');
    await removals.nth(3).waitFor();
    expect(await removals.allInnerTexts()).toEqual([
      'Transcripts of calls that ended more than 30 days ago',
      'Numbers of customers, but the last four digits, of calls that ended more than 30 days ago',
      'Questions without an answer that were asked more than 30 days ago',
      'Webhook deliveries older than 30 days',
    ]);
    await consolePicture(page, `retention-shorter-${colorScheme}`);
    expect(await violations(page)).toEqual([]);
    await button(page, 'Save').click();
    await consolePicture(page, `retention-question-${colorScheme}`);
    await button(question(page), 'Cancel').click();
    await question(page).waitFor({ state: 'detached' });
    expect(await storedRules()).toMatchObject({ transcripts_days: 90, mask_numbers: false });
    await button(page, 'Save').click();
    await button(question(page), 'Save and remove').click();
    await notice(page, 'The retention is changed').waitFor();
    expect(await storedRules()).toMatchObject({ transcripts_days: 30, mask_numbers: true });
    await page.context().close();
  },
);

it('a longer time is saved at once, and what the service refuses is said at its field', async () => {
  await account.client.put('/user/retention', { recordings_days: 10, sms_days: 5 });
  const page = await bench.signedIn(account.token, '/retention');
  await field(page, 'Recordings').fill('4000');
  await button(page, 'Save').click();
  await page.getByText(/must be between 1 and 3650/).waitFor();
  expect(await field(page, 'Recordings').getAttribute('aria-invalid')).toBe('true');
  expect(await violations(page)).toEqual([]);
  await field(page, 'Recordings').fill('20');
  await field(page, 'Messages (SMS)').fill('');
  await button(page, 'Save').click();
  await notice(page, 'The retention is changed').waitFor();
  expect(await storedRules()).toMatchObject({ recordings_days: 20, sms_days: null });
  await page.context().close();
});

it('assistants that keep less are listed, and their own rules are changed behind the link', async () => {
  const retention = { recordings_days: 40, transcripts_days: 7 };
  const id = await anAssistant(account, { assistant_name: 'Night desk', retention });
  await anAssistant(account, { assistant_name: 'Day desk', retention: { recordings_days: 40 } });
  await account.client.put('/user/retention', { recordings_days: 30 });
  const page = await bench.signedIn(account.token, '/retention');
  const rows = page.getByRole('table', { name: 'Assistants that keep less' }).locator('tbody tr');
  await rows.first().waitFor();
  expect(await rows.allInnerTexts()).toEqual([expect.stringMatching(/^Night desk\s+Transcripts: 7 days$/)]);
  expect(await violations(page)).toEqual([]);
  await page.getByRole('link', { name: 'Night desk' }).click();
  await page.waitForURL(addressOf(`/assistants/${id}?group=retention`));
  // The address changes before the page does.
  await page.getByText(/^Contents of its calls and conversations/).waitFor();
  expect(await field(page, 'Transcripts').inputValue()).toBe('7 days');
  expect(await field(page, 'Variables and evaluations').getAttribute('placeholder')).toBe('Kept for good');
  await field(page, 'Recordings').fill('');
  expect(await field(page, 'Recordings').getAttribute('placeholder')).toBe('As the account: 30 days');
  await field(page, 'Transcripts').fill('3');
  await page.getByText('Transcripts of calls that ended more than 3 days ago').waitFor();
  await consolePicture(page, 'assistant-retention-shorter');
  expect(await violations(page)).toEqual([]);
  await button(page, 'Save').click();
  await button(question(page), 'Save and remove').click();
  await notice(page, 'Saved. The next call uses it.').waitFor();
  const { body } = await account.client.get<{ data: { retention: object } }>(`/user/assistant/${id}`);
  expect(body.data.retention).toMatchObject({ recordings_days: null, transcripts_days: 3 });
  // Without a rule of its own it has none.
  await field(page, 'Transcripts').fill('');
  await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok()),
    button(page, 'Save').click(),
  ]);
  const { body: changed } = await account.client.get<{ data: object }>(`/user/assistant/${id}`);
  expect(changed.data).toMatchObject({ retention: null });
  await page.context().close();
});

it('a key without the scope admin reads the rules and is told why it saves none', async () => {
  const { token } = await anApiKey(account, { scopes: ['read'] });
  const page = await bench.signedIn(token, '/retention');
  await page.getByText('The key has no scope “admin”').waitFor();
  await field(page, 'Recordings').fill('3');
  expect(await button(page, 'Save').isDisabled()).toBe(true);
  expect(await violations(page)).toEqual([]);
  await page.context().close();
});

it('rules that cannot be read are read again when the user wants it', async () => {
  const page = await bench.signedIn(account.token, '/');
  const path = '**/user/retention';
  await page.route(path, (route) => route.fulfill({ status: 500, json: { message: 'Something failed' } }));
  await page.getByRole('navigation').getByRole('link', { name: 'Retention' }).click();
  await page.getByRole('alert').getByText('Something failed.').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.unroute(path);
  await button(page, 'Try again').click();
  await field(page, 'Recordings').waitFor();
  await page.getByText('No assistant has a shorter time of its own.').waitFor();
  await page.context().close();
});
