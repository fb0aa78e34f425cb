import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, callWhen } from '../factories/call.js';
import { button, ConsoleBench, consolePicture, violations } from '../support/console-bench.js';
import { database } from '../support/database.js';
import { Receiver } from '../support/receiver.js';

const ASKS_A_TOOL = '+15005550025';
const HTML = '<img src="x" onerror="window.isHacked = true">';
const SLOW_PLAYBACK = `{
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = function () {
    this.playbackRate = 0.0625;
    return play.call(this);
  };
}`;

let bench: ConsoleBench;
let tool: Receiver;
let account: TestAccount;
let id: number;

beforeAll(async () => {
  [bench, tool, account] = await Promise.all([ConsoleBench.start(), Receiver.open(), anAccount()]);
  tool.reply = () => ({ body: JSON.stringify({ place: `at three ${HTML}` }) });
  const { body } = await account.client.post<{ data: { id: number } }>('/user/tools', {
    name: 'check_appointment',
    description: 'Checks whether an appointment is available.',
    endpoint: tool.url,
    method: 'POST',
    schema: [{ name: 'time', type: 'string', description: 'The time asked for' }],
  });
  const assistant = await anAssistant(account, { record_call: true, tool_ids: [body.data.id] });
  id = await aCall(account, assistant, { phoneNumber: ASKS_A_TOOL, variables: { note: HTML } });
  await callWhen(account, id, (call) => 'recording_url' in call);
  // The sandbox recognises at once.
  await database().query(
    `UPDATE call_turns SET timings = timings || jsonb_build_object('silent', (timings->>'prompt')::float - 310)
      WHERE call_id = $1 AND role = 'customer'`,
    [id],
  );
  // In many calls the middle of the answer's second is later than the first turns.
  await database().query(
    `UPDATE calls SET answered_at = to_timestamp(ceil((timings->>'playing')::float / 1000))
       FROM call_turns WHERE call_id = calls.id AND seq = 1 AND calls.id = $1`,
    [id],
  );
  await database().query(
    `INSERT INTO call_turns (call_id, seq, role, kind, text)
     SELECT $1, max(seq) + 1, 'assistant', 'filler', 'I am still looking.' FROM call_turns WHERE call_id = $1`,
    [id],
  );
});

afterAll(() => Promise.all([bench.stop(), tool.close()]));

const conversation = (page: Page) => page.getByRole('list', { name: 'Conversation' });

it('shows the request and the response of its tool, and the duration of each part of an answer', async () => {
  const page = await bench.signedIn(account.token, `/calls/${id}`);
  const turns = conversation(page);
  await turns.getByText('recogniser 0.31 s').first().waitFor();
  await turns
    .getByText(/^answered after .* · model .* · voice /)
    .first()
    .waitFor();
  await button(turns, 'Details').click();
  await turns.getByLabel('Arguments').getByText('3 pm').waitFor();
  await turns.getByLabel('Result').getByText('at three').waitFor();
  await consolePicture(page, 'call-tool');
  expect(await violations(page)).toEqual([]);
  await page.context().close();
});

it('says in words why it ended', async () => {
  const page = await bench.signedIn(account.token, `/calls/${id}`);
  await page.getByRole('row', { name: 'Reason of the end the assistant said goodbye' }).waitFor();
  await page.context().close();
});

it('shows that a filler covered a pause', async () => {
  const page = await bench.signedIn(account.token, `/calls/${id}`);
  const turns = conversation(page).getByRole('listitem');
  await turns.filter({ hasText: 'I am still looking. while the customer waited' }).waitFor();
  expect(await turns.filter({ hasText: 'while the customer waited' }).count()).toBe(1);
  expect(await violations(page)).toEqual([]);
  await page.context().close();
});

it('plays its recording from a turn on, and marks the turn that is heard', async () => {
  const page = await bench.signedIn(account.token, `/calls/${id}`);
  const turn = conversation(page).getByRole('listitem').filter({ hasText: 'check whether an appointment' });
  await button(page, 'Play').and(page.locator(':enabled')).waitFor();
  // A turn takes a second: at the slowest speed it is heard until the test has seen it.
  await page.evaluate(SLOW_PLAYBACK);
  await button(turn, /^Hear it from /).click();
  await turn.and(page.locator('[aria-current="true"]')).waitFor();
  await button(page, 'Pause').waitFor();
  await consolePicture(page, 'call-recording');
  expect(await violations(page)).toEqual([]);
  await page.context().close();
});

it('shows text that looks like HTML as text', async () => {
  const page = await bench.signedIn(account.token, `/calls/${id}`);
  await page.getByRole('cell', { name: HTML }).waitFor();
  await button(conversation(page), 'Details').click();
  await page.getByLabel('Result').getByText('onerror').waitFor();
  expect(await page.locator('main img').count()).toBe(0);
  expect(await page.evaluate('window.isHacked')).toBeUndefined();
  await page.context().close();
});
