import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { anAccountWithResources } from '../factories/account-resources.js';
import { ConsoleBench, loadedKb } from '../support/console-bench.js';
import { CONSOLE_PAGES } from '../support/console-pages.js';
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
