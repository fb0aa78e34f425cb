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

let bench: ConsoleBench;

beforeAll(async () => {
  bench = await ConsoleBench.start();
});

afterAll(() => bench.stop());

it('a page that is opened while the service cannot be reached says so, and is loaded once it can', async () => {
  const { token } = await anAccount();
  const page = await bench.signedIn(token, '/live');
  await page.context().setOffline(true);
  const navigation = page.getByRole('navigation', { name: 'Navigation' });
  await navigation.getByRole('link', { name: 'Messages', exact: true }).click();
  await page.getByText('This page has failed').waitFor();
  await page.getByText('The service cannot be reached.').waitFor();
  await consolePicture(page, 'unreachable');
  expect(await violations(page)).toEqual([]);
  await button(page, 'Load it again').click();
  await notice(page, 'Check that it runs and that you are online.').waitFor();
  await page.context().setOffline(false);
  await button(page, 'Load it again').click();
  await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor();
  expect(page.url()).toBe(addressOf('/messages'));
  await page.context().close();
});

it('a tab whose code cannot be loaded says so in its place, and what was typed stays', async () => {
  const account = await anAccount();
  const page = await bench.signedIn(account.token, `/assistants/${await anAssistant(account)}`);
  await page.getByRole('textbox', { name: 'Name' }).fill('Night desk');
  await page.context().setOffline(true);
  await page.getByRole('tab', { name: 'Voice and model' }).click();
  const panel = page.getByRole('tabpanel');
  const said = panel.getByRole('alert');
  await said
    .getByText(/^The service cannot be reached\. +Check that it runs and that you are online\.$/)
    .waitFor();
  await consolePicture(page, 'tab-unreachable');
  expect(await violations(page)).toEqual([]);
  await page.context().setOffline(false);
  await button(said, 'Try again').click();
  await panel.getByRole('combobox', { name: 'Language' }).waitFor();
  await page.getByRole('tab', { name: 'Prompt' }).click();
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Night desk');
  await page.context().close();
});

it('a tab of a former version of the console says what to do', async () => {
  const account = await anAccount();
  const page = await bench.signedIn(account.token, `/assistants/${await anAssistant(account)}`);
  await page.route(/other-tabs/, (route) => route.fulfill({ status: 404 }), { times: 1 });
  await page.getByRole('tab', { name: 'Voice and model' }).click();
  const said = page.getByRole('tabpanel').getByRole('alert');
  await said.getByText(/The service may have been updated: load the page again\./).waitFor();
  await button(said, 'Try again').click();
  await page.getByRole('tabpanel').getByRole('combobox', { name: 'Language' }).waitFor();
  await page.context().close();
});

it('a dialog whose code cannot be loaded says so, and is shown once it can', async () => {
  const { token } = await anAccount();
  const page = await bench.signedIn(token, '/webhooks');
  await page.context().setOffline(true);
  await button(page, 'Send a test').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^The service cannot be reached\./).waitFor();
  await consolePicture(page, 'dialog-unreachable');
  expect(await violations(page)).toEqual([]);
  await page.context().setOffline(false);
  await button(dialog, 'Try again').click();
  await page.getByRole('dialog', { name: 'Send a test' }).waitFor();
  await page.context().close();
});
