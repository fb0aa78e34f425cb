import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { anAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import {
  addressOf,
  button,
  ConsoleBench,
  consolePicture,
  notice,
  violations,
} from '../support/console-bench.js';

/** Two people of the sandbox: one makes an appointment, one hangs up after the greeting. */
const PEOPLE = 'phone_number,name\n+15005550020,Alex\n+15005550023,Kim\n';

let bench: ConsoleBench;

beforeAll(async () => {
  bench = await ConsoleBench.start();
});

afterAll(() => bench.stop());

it('a campaign is created, filled and started, and is watched to its end', async () => {
  const account = await anAccount();
  await anAssistant(account, { assistant_name: 'Receptionist' });
  const page = await bench.signedIn(account.token, '/campaigns');
  await page.getByRole('link', { name: 'New campaign' }).first().click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Check-ups');
  await button(page.getByRole('group', { name: 'Set the week to' }), 'At any time').click();
  await button(page, 'Create the campaign').click();
  await page.getByRole('heading', { level: 1, name: 'Check-ups' }).waitFor();
  await page.getByText('It has no leads yet: import some.').waitFor();

  await page.getByRole('tabpanel', { name: 'Overview' }).getByRole('link', { name: 'Import leads' }).click();
  await page.locator('input[type=file]').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(PEOPLE),
  });
  await button(page, 'Continue').click();
  await button(page, 'Check the file').click();
  await button(page, 'Import 2 leads').click();
  await page.getByRole('link', { name: 'To the campaign' }).click();
  await page.getByText('It has not been started. 2 leads wait for the start.').waitFor();
  await consolePicture(page, 'campaign-ready');

  await button(page, 'Start').click();
  const dialog = page.getByRole('dialog', { name: 'Start “Check-ups”?' });
  await dialog.getByText(/^2 leads are called, .* nobody is really called\.$/).waitFor();
  expect(await violations(page)).toEqual([]);
  await button(dialog, 'Start').click();
  await notice(page, 'The campaign is started').waitFor();

  // The page follows by itself: nothing is loaded anew.
  await page.getByText('It is completed: no lead waits for a call.').waitFor();
  await page.getByText('2 of 2 leads finished').waitFor();
  await page.getByText('of 2 calls', { exact: true }).waitFor();
  await button(page, 'Start').waitFor();
  await consolePicture(page, 'campaign-completed');
  expect(await violations(page)).toEqual([]);
  const { body } = await account.client.get<{ data: { client_phone_number: string; status: string }[] }>(
    '/user/calls',
  );
  expect(body.data.map((call) => [call.client_phone_number, call.status]).sort()).toEqual([
    ['+15005550020', 'completed'],
    ['+15005550023', 'completed'],
  ]);

  const latest = page.getByRole('table', { name: 'Latest calls' });
  await latest.getByRole('link', { name: '+1 500 555 0020' }).click();
  await page.getByText(/^Receptionist called Alex \(\+1 500 555 0020\) for “Check-ups”\./).waitFor();
  await page.goBack();
  await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Campaigns' }).click();
  const row = page.getByRole('row', { name: /Check-ups/ });
  await row.getByText('2 of 2 leads finished').waitFor();
  expect(page.url()).toBe(addressOf('/campaigns'));
  await page.context().close();
});
