import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount } from '../factories/account.js';
import { anAccountWithResources } from '../factories/account-resources.js';
import type { AccountResources } from '../support/route.types.js';
import { ConsoleBench, consolePicture, violations, visit } from '../support/console-bench.js';

let bench: ConsoleBench;
let resources: AccountResources;

beforeAll(async () => {
  bench = await ConsoleBench.start();
  resources = await anAccountWithResources();
});

afterAll(() => bench.stop());

/** Every page, by the name of its picture. */
const PAGES: [string, (resources: AccountResources) => string][] = [
  ['overview', () => '/'],
  ['calls', () => '/calls'],
  ['call', ({ ids }) => `/calls/${ids.call}`],
  ['live', () => '/live'],
  ['campaigns', () => '/campaigns'],
  ['campaign', ({ ids }) => `/campaigns/${ids.campaign}`],
  ['leads', () => '/leads'],
  ['conversations', () => '/conversations'],
  ['conversation', ({ uuids }) => `/conversations/${uuids.conversation}`],
  ['messages', () => '/messages'],
  ['message-new', () => '/messages/new'],
  ['assistants', () => '/assistants'],
  ['assistant', ({ ids }) => `/assistants/${ids.assistant}`],
  ['tools', () => '/tools'],
  ['tool', ({ ids }) => `/tools/${ids.tool}`],
  ['widget', () => '/widget'],
  ['webhooks', () => '/webhooks'],
  ['delivery', ({ ids }) => `/webhooks/${ids.delivery}`],
  ['numbers', () => '/numbers'],
  ['numbers-buy', () => '/numbers/buy'],
  ['suppressions', () => '/suppressions'],
  ['balance', () => '/balance'],
  ['api-keys', () => '/api-keys'],
  ['api-key-new', () => '/api-keys/new'],
  ['not-found', () => '/nowhere'],
];

const SCHEMES = ['light', 'dark'] as const;

describe.each(SCHEMES)('in %s, axe finds nothing', (colorScheme) => {
  it('on a page of an account that has one of everything', async () => {
    const page = await bench.signedIn(resources.account.token, '/', { colorScheme });
    const found: Record<string, string[]> = {};
    for (const [name, path] of PAGES) {
      await visit(page, path(resources));
      await consolePicture(page, `page-${name}-${colorScheme}`);
      const problems = await violations(page);
      if (problems.length > 0) found[name] = problems;
    }
    expect(found).toEqual({});
    await page.context().close();
  });

  it('on a page of a new account, which tells the next step', async () => {
    const { token } = await anAccount();
    const page = await bench.signedIn(token, '/', { colorScheme });
    const found: Record<string, string[]> = {};
    for (const [name, path] of PAGES.filter(([, address]) => address.length === 0)) {
      await visit(page, path(resources));
      await consolePicture(page, `empty-${name}-${colorScheme}`);
      const problems = await violations(page);
      if (problems.length > 0) found[name] = problems;
    }
    expect(found).toEqual({});
    await page.context().close();
  });
});

it.each([
  ['overview', '/'],
  ['calls', '/calls'],
  ['campaigns', '/campaigns'],
  ['live', '/live'],
  ['webhooks', '/webhooks'],
])('%s fits on a telephone', async (name, path) => {
  const page = await bench.signedIn(resources.account.token, path, { viewport: { width: 360, height: 740 } });
  await consolePicture(page, `telephone-${name}`);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  expect(await violations(page)).toEqual([]);
  await page.context().close();
});
