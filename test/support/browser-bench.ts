import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { baseUrl } from './client-base.js';

const require = createRequire(import.meta.url);
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** What a page's own rules for content allow: the service and nothing else, no inline styles, no evaluation. */
const policy = (service: string, also: string): string => {
  const connects = `${service} ${service.replace('http', 'ws')} ${also}`;
  return `default-src 'none'; script-src ${service}; connect-src ${connects}; style-src 'none'`;
};

/** Only ends what hangs, on any machine. */
const PATIENCE_MS = 180_000;

export interface PageOptions extends BrowserContextOptions {
  prepare?: string;
  /** Called before the page is loaded. */
  watch?: (page: Page) => void;
}

/** A browser with a microphone that anybody may use, and a web site of another origin that shows the widget. */
export class BrowserBench {
  private constructor(
    private readonly browser: Browser,
    private readonly site: Server,
    private readonly service: string,
  ) {}

  /** Attributes of the script tag. */
  attributes: Record<string, string> = {};
  /** How often the script stands in the page. */
  scripts = 1;
  /** Addresses that the site's pages may connect to besides the service's. */
  alsoConnects = '';

  /** @param args of Chromium @param service whose widget the site shows */
  static async start(
    args: string[] = ['--use-fake-ui-for-media-stream'],
    service = baseUrl(),
  ): Promise<BrowserBench> {
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--use-fake-device-for-media-stream', ...args],
    });
    const site = createServer();
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const bench = new BrowserBench(browser, site, service);
    site.on('request', (_request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.setHeader('content-security-policy', policy(service, bench.alsoConnects));
      response.end(bench.html);
    });
    return bench;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.site.address() as AddressInfo).port}`;
  }

  /** @param prepare a script that runs in the page before anything else */
  async page(url: string, { prepare, watch, ...options }: PageOptions = {}): Promise<Page> {
    // Without motion: axe must not measure contrast while a dialog fades in.
    const context = await this.browser.newContext({ reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    watch?.(page);
    if (prepare) await page.addInitScript({ content: prepare });
    await page.goto(url);
    return page;
  }

  async stop(): Promise<void> {
    await this.browser.close();
    this.site.close();
  }

  private get html(): string {
    const attributes = Object.entries(this.attributes).map(([name, value]) => ` ${name}="${value}"`);
    return `<!DOCTYPE html><html lang="en"><head><title>Shop</title></head><body><main><h1>Shop</h1></main>
      ${`<script src="${this.service}/embed.js"${attributes.join('')}></script>`.repeat(this.scripts)}</body></html>`;
  }
}

/** What axe finds serious or critical, as text; everything where `isStrict`. */
export async function accessibilityProblems(page: Page, { isStrict = false } = {}): Promise<string[]> {
  // By the debugger, which the page's rules do not bind.
  await page.evaluate(AXE);
  return page.evaluate(async (isAll) => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => isAll || impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }, isStrict);
}

/** A picture for people, where a folder is wanted. */
export async function picture(
  page: Page,
  name: string,
  folder = process.env.BROWSER_SCREENSHOTS,
): Promise<void> {
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
