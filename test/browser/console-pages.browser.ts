import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anAccount } from '../factories/account.js';
import { anAccountWithResources } from '../factories/account-resources.js';
import type { AccountResources } from '../support/route.types.js';
import { complaintsOf, ConsoleBench, consolePicture, violations, visit } from '../support/console-bench.js';
import { CONSOLE_PAGES } from '../support/console-pages.js';

let bench: ConsoleBench;
let resources: AccountResources;

beforeAll(async () => {
  bench = await ConsoleBench.start();
  resources = await anAccountWithResources();
});

afterAll(() => bench.stop());

const SCHEMES = ['light', 'dark'] as const;

/** What axe, the browser's console and the pages' requests tell, by page. */
async function problemsOn(
  pages: typeof CONSOLE_PAGES,
  { token, ...options }: { token: string; colorScheme: 'light' | 'dark'; prefix: string },
): Promise<Record<string, string[]>> {
  const { colorScheme, prefix } = options;
  let complaints: string[] = [];
  const watch = (watched: Page): void => void (complaints = complaintsOf(watched));
  const page = await bench.signedIn(token, '/', { colorScheme, watch });
  const found: Record<string, string[]> = {};
  for (const [name, path] of pages) {
    await visit(page, path(resources));
    await consolePicture(page, `${prefix}-${name}-${colorScheme}`);
    const problems = [...(await violations(page)), ...complaints.splice(0)];
    if (problems.length > 0) found[name] = problems;
  }
  await page.context().close();
  return found;
}

describe.each(SCHEMES)('in %s, axe and the browser report no error', (colorScheme) => {
  it('on a page of an account that has one of everything', async () => {
    const { token } = resources.account;
    expect(await problemsOn(CONSOLE_PAGES, { token, colorScheme, prefix: 'page' })).toEqual({});
  });

  it('on a page of a new account, which shows the next step', async () => {
    const { token } = await anAccount();
    const pages = CONSOLE_PAGES.filter(([, address]) => address.length === 0);
    expect(await problemsOn(pages, { token, colorScheme, prefix: 'empty' })).toEqual({});
  });
});

/** Statuses that are not shown whole. */
const CUT_STATUSES = `[...document.querySelectorAll('main .mantine-Badge-label')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map(({ textContent }) => textContent)`;

it.each([
  ['overview', '/'],
  ['calls', '/calls'],
  ['campaigns', '/campaigns'],
  ['live', '/live'],
  ['webhooks', '/webhooks'],
  ['leads', '/leads'],
  ['assistants', '/assistants'],
  ['knowledge', '/knowledge'],
  ['retention', '/retention'],
  ['personal-data', '/personal-data'],
  ['personal-data-exports', '/personal-data?tab=exports'],
  ['personal-data-erase', '/personal-data/erase'],
  ['api-keys', '/api-keys'],
  ['audit-log', '/audit-log'],
])('%s fits on a telephone', async (name, path) => {
  const page = await bench.signedIn(resources.account.token, path, { viewport: { width: 360, height: 740 } });
  await consolePicture(page, `telephone-${name}`);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  expect(await page.evaluate(CUT_STATUSES)).toEqual([]);
  expect(await violations(page)).toEqual([]);
  await page.context().close();
});
