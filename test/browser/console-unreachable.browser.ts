import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { anAccount } from '../factories/account.js';
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
