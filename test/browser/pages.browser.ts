import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { anAccount } from '../factories/account.js';
import { aWidgetAssistant } from '../factories/conversation.js';
import { accessibilityProblems, BrowserBench, picture } from '../support/browser-bench.js';
import { baseUrl } from '../support/client.js';

let bench: BrowserBench;

beforeAll(async () => {
  bench = await BrowserBench.start();
});

afterAll(() => bench.stop());

it.each(['light', 'dark'] as const)('the page at / links to the demo assistant (%s)', async (colorScheme) => {
  const page = await bench.page(`${baseUrl()}/`, { colorScheme });
  await picture(page, `home-${colorScheme}`);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('link', { name: 'Talk to the demo assistant' }).click();
  await page.getByRole('button', { name: 'Talk to us' }).click();
  await picture(page, `preview-${colorScheme}`);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Write' }).click();
  await page.getByRole('log').getByText('Hello there, this is the practice of Dr. Lee.').waitFor();
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await page.context().close();
});

it('a preview shows the widget of an assistant that has one', async () => {
  const account = await anAccount();
  const { uuid } = await aWidgetAssistant(account, { widget_settings: { enabled: true } });
  const page = await bench.page(`${baseUrl()}/widget-preview/${uuid}`);
  await page.getByRole('button', { name: 'Talk to us' }).click();
  await page.getByRole('button', { name: 'Write' }).click();
  await page.getByRole('log').getByText('Hello, how can I help you?').waitFor();
  await page.context().close();
});
