/**
 * npm run bench -- console: tasks of more than 50 ms on the browser's main thread in the console's pages while
 * `BENCH_LIVE` (200) calls run, beside `BENCH_LIST` (100,000) finished calls, each with a turn every two seconds; and
 * the size of each page's downloads.
 */
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Browser, type Page } from 'playwright-core';
import { RunningCalls } from './console/running-calls.js';
import { loadedKb } from '../../test/support/console-bench.js';
import { tasksOf } from './console/trace.js';
import { fillCalls } from './rest/fill-calls.js';
import { anAccount, type BenchAccount } from './support/account.js';
import { openDatabase } from './support/database.js';
import { below, type Finding } from './support/findings.js';
import { positive, SECONDS } from './support/pace.js';
import { say } from './support/progress.js';
import { startService } from './support/service.js';

const LIVE = positive('BENCH_LIVE', 200);
const LISTED = positive('BENCH_LIST', 100_000);
const WATCH_MS = SECONDS * 5_000;
const MOST_KB = 300;
const MOST_MS = 50;
const PAGES_TURNED = 10;
const SCROLL_PX = 400;
const SCROLLS = 10;
const SCROLL_MS = 100;

const watch = (): Promise<void> => sleep(WATCH_MS);

/** The user's actions on each page after it is shown. */
const PAGES: [path: string, use: (page: Page) => Promise<void>][] = [
  ['/live', watch],
  ['/live', scroll],
  ['/', watch],
  ['/calls?per_page=100', watch],
  ['/calls?per_page=100', scroll],
  ['/calls?per_page=100&status=completed', turnPages],
];

export async function run(): Promise<Finding[]> {
  execFileSync(process.execPath, ['scripts/build-console.mjs'], { stdio: 'inherit' });
  const database = await openDatabase();
  try {
    const account = await anAccount(database.pool, 'console');
    say(`console: ${LISTED} calls`);
    await fillCalls(database.pool, [account.id], LISTED);
    const service = await startService(database);
    const calls = new RunningCalls(database.pool, account.id, LIVE);
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    });
    try {
      await calls.start();
      return await measure(browser, service.url, account);
    } finally {
      await calls.stop();
      await browser.close();
      await service.stop();
    }
  } finally {
    await database.close();
  }
}

async function measure(browser: Browser, url: string, { headers }: BenchAccount): Promise<Finding[]> {
  const key = headers['authorization']?.replace('Bearer ', '') ?? '';
  const findings: Finding[] = [];
  const loaded = new Set<string>();
  for (const [path, use] of PAGES) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${url}/console${path}#key=${key}`);
    await page.locator('main table tbody tr a').first().waitFor();
    await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
    const [name = path] = path.split('?');
    // Waits for all its requests.
    const kb = await loadedKb(page);
    if (!loaded.has(name)) findings.push(below(`${name}: first load, compressed`, 'kB', MOST_KB, kb));
    loaded.add(name);
    const tasks = await tasksOf(browser, page, () => use(page));
    const long = tasks.filter((ms) => ms > MOST_MS).length;
    const what = `${path}, ${use.name}`;
    const longest = Math.max(...tasks);
    findings.push(below(`${what}: tasks over ${MOST_MS} ms`, '', 0, long));
    findings.push(below(`${what}: the longest of ${tasks.length}`, 'ms', MOST_MS, longest));
    say(`  ${what}: ${long} of ${tasks.length} tasks, the longest ${longest.toFixed(0)} ms`);
    await page.close();
  }
  return findings;
}

async function scroll(page: Page): Promise<void> {
  await page.mouse.move(720, 500);
  for (const direction of [1, -1]) {
    for (let n = 0; n < SCROLLS; n++) {
      await page.mouse.wheel(0, SCROLL_PX * direction);
      await sleep(SCROLL_MS);
    }
  }
}

async function turnPages(page: Page): Promise<void> {
  for (let n = 0; n < PAGES_TURNED; n++) {
    const first = await page.locator('main tbody tr a').first().getAttribute('href');
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.locator(`main tbody tr:first-child a:not([href="${first}"])`).waitFor();
    await page.locator('main [aria-busy="true"]').waitFor({ state: 'detached' });
  }
}
