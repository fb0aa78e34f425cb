import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { anAccount } from '../factories/account.js';
import { anApiKey } from '../factories/api-key.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, aSilentNumber, callWhen } from '../factories/call.js';
import { button, ConsoleBench, consolePicture, notice, violations, visit } from '../support/console-bench.js';

/** Its greeting stays the last words, for two minutes. */
const PATIENT = { max_silence_duration: 120, re_engagement_interval: 120 };

let bench: ConsoleBench;

beforeAll(async () => {
  bench = await ConsoleBench.start();
});

afterAll(() => bench.stop());

it('a call appears with its words while it runs, and is hung up', async () => {
  const account = await anAccount();
  const assistantId = await anAssistant(account, {
    initial_message: 'Hello, this is <b>Dr. Lee</b>.',
    ...PATIENT,
  });
  const page = await bench.signedIn(account.token, '/live');
  await page.getByText('No call runs now').waitFor();
  const id = await aCall(account, assistantId, { phoneNumber: aSilentNumber(7) });
  const row = page.getByRole('row', { name: /\+1 500 555 5507/ });
  await row.getByText('Hello, this is <b>Dr. Lee</b>.').waitFor();
  await row.getByText('in call').waitFor();
  await consolePicture(page, 'live-call');
  expect(await violations(page)).toEqual([]);

  await button(row, 'Hang up').click();
  const dialog = page.getByRole('dialog', { name: 'Hang up this call?' });
  await button(dialog, 'Hang up').click();
  await notice(page, 'The call is being hung up').waitFor();
  await page.getByText('No call runs', { exact: true }).waitFor();
  const call = await callWhen(account, id, ({ status }) => status === 'completed');
  expect(call).toMatchObject({ ended_by: 'system', ended_reason: 'ended_by_user' });
  await page.context().close();
});

it('a key that may not call sees the words, and why it may not hang up', async () => {
  const account = await anAccount();
  const assistantId = await anAssistant(account, PATIENT);
  const { token } = await anApiKey(account, { scopes: ['read'] });
  const id = await aCall(account, assistantId, { phoneNumber: aSilentNumber(8) });
  const page = await bench.signedIn(token, '/live');
  const row = page.getByRole('row', { name: /\+1 500 555 5508/ });
  await row.getByText('Hello, how can I help you?').waitFor();
  expect(await button(row, 'Hang up').isDisabled()).toBe(true);
  await visit(page, '/');
  await page.getByText('0:00 talked, 1 more runs').waitFor();
  await account.client.post(`/user/calls/${id}/end`);
  await page.context().close();
});
