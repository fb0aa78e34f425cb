import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { anAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, aSilentNumber } from '../factories/call.js';
import { plant } from '../factories/call-statistics.js';
import { ConsoleBench, notice } from '../support/console-bench.js';

let bench: ConsoleBench;

beforeAll(async () => {
  bench = await ConsoleBench.start();
});

afterAll(() => bench.stop());

/** The first request to the path is answered by the test. */
const answerOnce = (page: Page, path: RegExp, answer: Parameters<Route['fulfill']>[0]): Promise<unknown> =>
  page.route(path, (route) => route.fulfill(answer), { times: 1 });

it('the days of a list are those of the zone of the account', async () => {
  const account = await anAccount({ country: 'IN' });
  // Half past one on the sixth, on clocks of the account.
  const id = await plant(account, { at: '2026-03-05 20:00:00Z' });
  const page = await bench.signedIn(account.token, '/calls?date_from=2026-03-06&date_to=2026-03-06');
  await page.getByLabel('Days (Asia/Kolkata)').waitFor();
  await page.getByRole('row', { name: /500 555 0020/ }).click();
  await page.waitForURL(`**/console/calls/${id}`);
  await page.context().close();
});

it('the calls of a lead are a filter of the list, in its address and above it', async () => {
  const account = await anAccount();
  await plant(account, { at: '2026-03-05 20:00:00Z' });
  const page = await bench.signedIn(account.token, '/calls?lead_id=7');
  await page.getByText('Nothing matches').waitFor();
  await page.getByLabel('Lead (id)').fill('');
  await page.getByRole('row', { name: /500 555 0020/ }).waitFor();
  await page.waitForURL('**/console/calls');
  await page.context().close();
});

it('a request to a busy service is retried, and the person is notified', async () => {
  const account = await anAccount();
  await plant(account, { at: '2026-03-05 20:00:00Z' });
  const page = await bench.signedIn(account.token, '/messages');
  await answerOnce(page, /\/api\/user\/calls\?/, { status: 503, headers: { 'retry-after': '1' } });
  await page.getByRole('link', { name: 'Calls', exact: true }).click();
  await notice(page, 'The service is busy; trying again in 1 s.').waitFor();
  await page.getByRole('row', { name: /500 555 0020/ }).waitFor();
  await page.context().close();
});

it('a lost stream is reported, and events meanwhile are shown', async () => {
  const account = await anAccount();
  const assistantId = await anAssistant(account, { max_silence_duration: 120, re_engagement_interval: 120 });
  const page = await bench.signedIn(account.token, '/messages');
  await answerOnce(page, /\/api\/user\/calls\/events/, { contentType: 'text/event-stream', body: '' });
  await page.getByRole('link', { name: 'Live', exact: true }).click();
  await page.getByText('Connection lost, connecting again').waitFor();
  const id = await aCall(account, assistantId, { phoneNumber: aSilentNumber(31) });
  await page.getByRole('row', { name: /500 555 5531/ }).waitFor();
  await page.getByRole('main').getByRole('status').getByText('Live').waitFor();
  await page.getByText('Hello, how can I help you?').waitFor();
  expect((await account.client.post(`/user/calls/${id}/end`)).status).toBe(200);
  await page.context().close();
});
