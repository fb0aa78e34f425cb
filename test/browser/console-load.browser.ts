import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { anAccount } from '../factories/account.js';
import { anAccountWithResources } from '../factories/account-resources.js';
import { button, ConsoleBench, loadedKb, ready } from '../support/console-bench.js';
import { CONSOLE_PAGES } from '../support/console-pages.js';
import { database } from '../support/database.js';
import type { AccountResources } from '../support/route.types.js';

const MOST_KB = 300;
const AT_ONCE = 4;

let bench: ConsoleBench;
let resources: AccountResources;

beforeAll(async () => {
  bench = await ConsoleBench.start();
  resources = await anAccountWithResources();
});

afterAll(() => bench.stop());

/** Of a browser that has loaded nothing before. */
async function firstLoadKb(path: string): Promise<number> {
  const page = await bench.signedIn(resources.account.token, path);
  const kb = await loadedKb(page);
  await page.context().close();
  return kb;
}

/** A table for people, beside the pictures. */
function writeSizes(sizes: Map<string, number>): void {
  const folder = process.env.CONSOLE_SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  const lines = [...sizes].map(([name, kb]) => `${name} ${kb.toFixed(1)} kB`);
  writeFileSync(join(folder, 'first-load.txt'), `${lines.join('\n')}\n`);
}

it(`no page loads more than ${MOST_KB} kB at first`, async () => {
  const sizes = new Map<string, number>();
  for (let n = 0; n < CONSOLE_PAGES.length; n += AT_ONCE) {
    const some = CONSOLE_PAGES.slice(n, n + AT_ONCE);
    await Promise.all(some.map(async ([name, path]) => sizes.set(name, await firstLoadKb(path(resources)))));
  }
  writeSizes(sizes);
  const tooLarge = [...sizes].filter(([, kb]) => kb > MOST_KB);
  expect(Object.fromEntries(tooLarge)).toEqual({});
});

it('shows each row of a long page once and in order, also when the page is turned', async () => {
  const { id, token, client } = await anAccount();
  await database().query(
    `INSERT INTO suppressions (account_id, phone_number, source)
     SELECT $1, '+1415555' || lpad(n::text, 4, '0'), 'api' FROM generate_series(1, 230) n`,
    [id],
  );
  const page = await bench.signedIn(token, '/suppressions?per_page=100');
  for (let number = 1; number <= 3; number++) {
    const { body } = await client.get(`/user/suppressions?per_page=100&page=${number}`);
    const listed = (body as { data: { phone_number: string }[] }).data.map((row) =>
      row.phone_number.slice(-4),
    );
    const cells = await page.locator('main tbody tr td:first-child').allTextContents();
    expect(cells.map((text) => text.replace(/\D/g, '').slice(-4))).toEqual(listed);
    if (number === 3) continue;
    await button(page, 'Next page').click();
    await page
      .locator(`main tbody tr:first-child`)
      .filter({ hasText: listed[0] ?? '' })
      .waitFor({ state: 'detached' });
    await ready(page);
  }
});
