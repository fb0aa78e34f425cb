import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anAccount } from '../factories/account.js';
import { SPEECH } from '../support/browser-speech.js';
import { button, ConsoleBench, consolePicture, notice, violations } from '../support/console-bench.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

const HANGS_UP = '+15005550023';
const NOT_CALLED = '+15005556019';
/** All but one are busy. */
const NUMBERS = [
  HANGS_UP,
  ...Array.from({ length: 19 }, (_, n) => `+15005556${String(n + 1).padStart(3, '0')}`),
];
/** After the lines 3, 7 and 12 of the leads. */
const BAD = new Map([
  [3, '12'],
  [7, 'ask at the desk'],
  [12, ''],
]);
const LINES = NUMBERS.flatMap((number, n) => [
  `${number};Person ${n + 1}`,
  ...(BAD.has(n) ? [`${BAD.get(n)};Nobody`] : []),
]);
const REFUSAL = '{"error":"the CRM is being updated"}';

let bench: ConsoleBench;
let receiver: Receiver;

beforeAll(async () => {
  [bench, receiver] = await Promise.all([ConsoleBench.start(), Receiver.open()]);
});

afterAll(() => Promise.all([bench.stop(), receiver.close()]));

const go = (page: Page, to: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: to, exact: true }).click();
const heading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name }).waitFor();

async function makeAssistant(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Make an assistant' }).click();
  await button(page, 'Create and try it').click();
  await page.getByText('The assistant name field is required.').waitFor();
  await page.getByRole('alert').getByText('It is not saved: see the messages at the fields.').waitFor();
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.and(page.locator(':focus')).waitFor();
  await consolePicture(page, 'newcomer-refused');
  await name.fill('Bike shop');
  await button(page, 'Create and try it').click();
  await heading(page, 'Bike shop');
}

/** From here on its calls are reported to the receiver. */
async function setWebhook(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'After the call' }).click();
  await page.getByText('Required when “Send finished calls to a webhook” is on.').waitFor();
  await page.getByRole('switch', { name: 'Send finished calls to a webhook' }).click();
  await page.getByLabel('Address of the webhook').fill(receiver.url);
  await button(page, 'Save').click();
  await notice(page, 'Saved. The next call uses it.').waitFor();
}

async function talkToIt(page: Page): Promise<void> {
  const log = page.getByRole('log');
  await button(page, 'Start talking').click();
  await log.getByText('Hello, how can I help you?').waitFor();
  await until(() => page.evaluate<boolean>('ended === 1 && ear !== null'));
  await page.evaluate(`hear('What is your name?', true)`);
  await log.getByText('I am an assistant').waitFor();
  await consolePicture(page, 'newcomer-talk');
  expect(await violations(page)).toEqual([]);
  await button(page, 'End the call').click();
  await page.getByRole('link', { name: 'Open the call' }).click();
  const voice = 'Voice The browser listened and spoke in its own way.';
  await page.getByRole('row', { name: voice, exact: true }).waitFor();
  await page.goBack();
  await heading(page, 'Bike shop');
}

async function writeToIt(page: Page): Promise<void> {
  await page.getByText('Write', { exact: true }).click();
  await button(page, 'Start writing').click();
  await page.getByLabel('Your message').fill('What is your name?');
  await page.keyboard.press('Enter');
  await page
    .getByRole('log')
    .getByText(/^answered in /)
    .waitFor();
}

async function forbidNumber(page: Page): Promise<void> {
  await go(page, 'Do not call');
  await button(page, 'Add a number').first().click();
  await page.getByRole('dialog', { name: 'Add a number' }).getByLabel('Number').fill(NOT_CALLED);
  await button(page, 'Never call it').click();
  await notice(page, '+1 500 555 6019 is never called').waitFor();
}

async function makeCampaign(page: Page): Promise<void> {
  await go(page, 'Campaigns');
  await page.getByRole('link', { name: 'New campaign' }).first().click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Check-ups');
  await button(page.getByRole('group', { name: 'Set the week to' }), 'At any time').click();
  await page.getByRole('textbox', { name: 'Calls to each number' }).fill('1');
  await button(page, 'Create the campaign').click();
  await heading(page, 'Check-ups');
}

async function importLeads(page: Page): Promise<void> {
  await page.getByRole('tabpanel', { name: 'Overview' }).getByRole('link', { name: 'Import leads' }).click();
  await page.locator('input[type=file]').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['phone;customer name', ...LINES, ''].join('\n')),
  });
  await button(page, 'Continue').click();
  await button(page, 'Check the file').click();
  await page.getByText('3 lines will be refused.').waitFor();
  await button(page, 'Import 20 leads').click();
  await page.getByText('20 leads imported').waitFor();
  await page.getByRole('link', { name: 'To the campaign' }).click();
}

async function runIt(page: Page): Promise<void> {
  await page.getByText('19 leads wait for the start. 1 lead is on the do-not-call list.').waitFor();
  await page.getByRole('link', { name: 'Assistant: Bike shop' }).waitFor();
  await button(page, 'Start').click();
  const dialog = page.getByRole('dialog', { name: 'Start “Check-ups”?' });
  await dialog.getByText(/^19 leads are called, /).waitFor();
  await button(dialog, 'Start').click();
  await page.getByText('20 of 20 leads finished').waitFor();
}

async function findWhyOneWasNotCalled(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'not allowed' }).click();
  await page.getByRole('link', { name: '+1 500 555 6019' }).click();
  await page.getByText('It may not be called. No call was made: on the do-not-call list.').waitFor();
  await consolePicture(page, 'newcomer-lead');
  expect(await violations(page)).toEqual([]);
  await page.getByRole('link', { name: 'See the list' }).click();
  await page.getByRole('row', { name: /\+1 500 555 6019/ }).waitFor();
}

async function replayWebhook(page: Page): Promise<void> {
  await go(page, 'Overview');
  const warning = page.getByRole('region', { name: 'Needs attention' });
  await warning.getByText('A receiver does not take its webhooks.').waitFor();
  await warning.getByRole('link', { name: 'See and replay' }).click();
  await page.getByText('Some receivers have not taken their deliveries yet: these are sent again.').waitFor();
  const failures = page.getByRole('region', { name: 'Last failures' });
  await failures.getByText(REFUSAL).waitFor();
  await page
    .getByRole('row', { name: /Bike shop/ })
    .getByText('waiting for a retry')
    .waitFor();
  await consolePicture(page, 'newcomer-webhooks');
  expect(await violations(page)).toEqual([]);
  await button(failures, /^Replay/).click();
  await notice(page, REFUSAL).waitFor();
  receiver.reply = () => ({});
  await button(failures, /^Replay/).click();
  await notice(page, 'The receiver has taken it.').waitFor();
  await failures.waitFor({ state: 'detached' });
}

it('six tasks are possible with the console alone', async () => {
  // It is sent again by the person, and not before by itself.
  receiver.reply = () => ({ status: 503, headers: { 'retry-after': '3600' }, body: REFUSAL });
  const account = await anAccount();
  const page = await bench.signedIn(account.token, '/', { prepare: SPEECH });
  await makeAssistant(page);
  await talkToIt(page);
  await writeToIt(page);
  await setWebhook(page);
  await forbidNumber(page);
  await makeCampaign(page);
  await importLeads(page);
  await runIt(page);
  await findWhyOneWasNotCalled(page);
  await replayWebhook(page);
  await page.context().close();
});
