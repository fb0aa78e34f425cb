import type { Locator, Page } from 'playwright-core';
import { baseUrl } from './client-base.js';
import { accessibilityProblems, BrowserBench, picture, type PageOptions } from './browser-bench.js';
import { until } from './until.js';

/** The console of the shared service in a browser. */
export class ConsoleBench {
  private constructor(private readonly bench: BrowserBench) {}

  static async start(): Promise<ConsoleBench> {
    return new ConsoleBench(await BrowserBench.start());
  }

  /** By the link that the service prints. @param path below `/console` */
  async signedIn(token: string, path = '/', options: PageOptions = {}): Promise<Page> {
    const page = await this.bench.page(addressOf(path, token), { viewport: DESK, ...options });
    await ready(page);
    return page;
  }

  /** @param path below `/console`, opened without a key */
  open(path = '/', options: PageOptions = {}): Promise<Page> {
    return this.bench.page(addressOf(path), { viewport: DESK, ...options });
  }

  stop(): Promise<void> {
    return this.bench.stop();
  }
}

const DESK = { width: 1440, height: 900 };

export const addressOf = (path: string, token?: string): string =>
  `${baseUrl()}/console${path}${token === undefined ? '' : `#key=${token}`}`;

/** Opens another page of the console as its user does not: by its address. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(addressOf(path));
  await ready(page);
}

/** Ends when the page shows what it has read: no skeleton is left. */
export async function ready(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator(UNREADY).first().waitFor({ state: 'detached' });
}

const UNREADY = 'main .mantine-Skeleton-root, main [aria-busy="true"], .mantine-Loader-root';

/** Loaded two seconds after a page: the last that loads without a click. */
const SEARCH = 'search-dialog';

/**
 * Kilobytes that a page and all that it has loaded of the console are, compressed as they were sent: documents, scripts,
 * style sheets, fonts. Waits until the search is loaded, too.
 */
export async function loadedKb(page: Page): Promise<number> {
  const loaded = `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .filter(({ name }) => new URL(name).pathname.startsWith('/console'))`;
  // Not waitForFunction, which the rules of the page forbid.
  await until(() => page.evaluate(`${loaded}.some(({ name }) => name.includes('${SEARCH}'))`));
  return page.evaluate(`${loaded}.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000`);
}

/** Everything that axe finds. */
export const violations = (page: Page): Promise<string[]> => accessibilityProblems(page, { isStrict: true });

/** @returns errors of the page and requests to other hosts, as they come */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== new URL(baseUrl()).origin) complaints.push(request.url());
  });
  return complaints;
}

/** A picture for people, where `CONSOLE_SCREENSHOTS` names a folder. */
export const consolePicture = (page: Page, name: string): Promise<void> =>
  picture(page, name, process.env.CONSOLE_SCREENSHOTS);

export const button = (page: Page | Locator, name: string | RegExp): Locator =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });

/** The notice that tells how it went. */
export const notice = (page: Page, text: string | RegExp): Locator =>
  page.locator('.mantine-Notification-root').getByText(text);
