import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aTestDelivery, deliveriesOf, deliveryDetail, secretOf } from '../factories/webhook.js';
import {
  addressOf,
  button,
  ConsoleBench,
  consolePicture,
  notice,
  violations,
} from '../support/console-bench.js';
import { Receiver } from '../support/receiver.js';

const REFUSAL = '{"error":"contact_id 4711 is unknown to the CRM"}';

let bench: ConsoleBench;
let receiver: Receiver;
let account: TestAccount;
let assistantId: number;

beforeAll(async () => {
  bench = await ConsoleBench.start();
  receiver = await Receiver.open();
});

afterAll(async () => {
  await bench.stop();
  await receiver.close();
});

beforeEach(async () => {
  account = await anAccount();
  assistantId = await anAssistant(account, {
    assistant_name: 'Reminder caller',
    is_webhook_active: true,
    webhook_url: receiver.url,
  });
  receiver.reply = () => ({ status: 422, body: REFUSAL });
});

const failures = (page: Page) => page.getByRole('region', { name: 'Last failures' });

it.each(['light', 'dark'] as const)(
  'a failed delivery shows the response of its receiver, and is replayed by one click (%s)',
  async (colorScheme) => {
    const { id } = await aTestDelivery(account, assistantId);
    const page = await bench.signedIn(account.token, '/webhooks', { colorScheme });
    await failures(page).getByText(REFUSAL).waitFor();
    await failures(page).getByText('422').waitFor();
    await consolePicture(page, `webhooks-${colorScheme}`);
    expect(await violations(page)).toEqual([]);
    receiver.reply = () => ({});
    await button(failures(page), `Replay Call completed, delivery ${id}`).click();
    await notice(page, 'The receiver has taken it.').waitFor();
    await failures(page).waitFor({ state: 'detached' });
    await page
      .getByRole('row', { name: /Reminder caller/ })
      .getByText('delivered')
      .waitFor();
    expect((await deliveryDetail(account, id)).attempts.map((one) => one.status_code)).toEqual([422, 200]);
    await page.context().close();
  },
);

it('a replay that fails again is reported, with the response of the receiver', async () => {
  const { id } = await aTestDelivery(account, assistantId);
  const page = await bench.signedIn(account.token, `/webhooks/${id}`);
  await button(page, /^Replay/).click();
  await notice(page, REFUSAL).waitFor();
  await page.getByText('Try 2', { exact: true }).waitFor();
  await consolePicture(page, 'webhook-delivery');
  expect(await violations(page)).toEqual([]);
  await page.context().close();
});

it('a test is sent to the webhook of an assistant, and its page shows the response and the body', async () => {
  receiver.reply = () => ({ body: '{"stored":true}' });
  const page = await bench.signedIn(account.token, '/webhooks');
  await button(page, 'Send a test').click();
  const dialog = page.getByRole('dialog', { name: 'Send a test' });
  await dialog.getByRole('combobox', { name: 'Assistant' }).waitFor();
  expect(await violations(page)).toEqual([]);
  await button(dialog, 'Send it').click();
  await page.getByText('The receiver took it after 1 try.').waitFor();
  await page.getByLabel('Answer to try 1').getByText('"stored": true').waitFor();
  await page.getByLabel('Body', { exact: true }).getByText('"test": true').waitFor();
  const [sent] = await deliveriesOf(account, 'status=delivered');
  expect(page.url()).toBe(addressOf(`/webhooks/${sent?.id}`));
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  await page.context().close();
});

it('the log is filtered by status, and the address keeps the filter', async () => {
  await aTestDelivery(account, assistantId);
  receiver.reply = () => ({});
  await aTestDelivery(account, assistantId);
  const page = await bench.signedIn(account.token, '/webhooks?status=dead');
  const rows = page.getByRole('table').getByRole('row');
  await rows.getByText('given up').waitFor();
  expect(await rows.count()).toBe(2);
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'delivered' }).click();
  await rows.getByText('delivered').waitFor();
  expect(page.url()).toBe(addressOf('/webhooks?status=delivered'));
  await page.context().close();
});

describe('the signing secret', () => {
  it('is shown on request, and rotated after a confirmation', async () => {
    const secret = await secretOf(account);
    const page = await bench.signedIn(account.token, '/webhooks');
    await button(page, 'Signing secret').click();
    const dialog = page.getByRole('dialog', { name: 'Signing secret' });
    await button(dialog, 'Show the secret').waitFor();
    expect(await page.getByText('whsec_').count()).toBe(0);
    await button(dialog, 'Show the secret').click();
    await dialog.getByText(secret, { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await button(dialog, 'Rotate').click();
    await button(page, 'Make a new one').click();
    await notice(page, /There is a new secret/).waitFor();
    await dialog.getByText(await secretOf(account), { exact: true }).waitFor();
    expect(await secretOf(account)).not.toBe(secret);
    await dialog.getByText('The one before signs too, until').waitFor();
    await page.context().close();
  });
});
