import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { baseUrl } from '../support/client.js';

const PAGE = '<!doctype html><script type="module" src="/guide/assets/app.a1.js"></script>';

let folder: string;
let host: ChildProcess | null = null;

/** @returns the address of the guide's pages */
async function serve(http: { publicUrl: string; docsEnabled: boolean }): Promise<string> {
  host = fork('test/support/page-host.mjs', ['guide', folder, JSON.stringify(http)], { execArgv: [] });
  const [port] = await once(host, 'message');
  return `http://127.0.0.1:${port}`;
}

async function ask(url: string): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(url, { redirect: 'manual', headers: { 'accept-encoding': 'identity' } });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'guide-'));
  for (const name of ['assets', 'use']) mkdirSync(join(folder, name));
  for (const name of ['index', 'use/quickstart', 'use/index', '404'])
    writeFileSync(join(folder, `${name}.html`), PAGE);
  writeFileSync(join(folder, 'assets', 'app.a1.js'), 'const site = { base: "/guide/" };');
});

afterEach(async () => {
  if (host) {
    const exit = once(host, 'exit');
    host.disconnect();
    await exit;
    host = null;
  }
  rmSync(folder, { recursive: true });
});

describe('the guide', () => {
  const http = { publicUrl: 'https://calls.example.com', docsEnabled: true };

  it('shows its pages without an extension, with scripts of its own origin only', async () => {
    const url = await serve(http);
    for (const path of ['/guide/', '/guide/use/quickstart', '/guide/use/', '/guide/use']) {
      const { status, headers, text } = await ask(url + path);
      expect([status, text]).toEqual([200, PAGE]);
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none';script-src 'self';/);
    }
    const { status, headers } = await ask(`${url}/guide`);
    expect([status, headers.get('location')]).toEqual([302, '/guide/']);
  });

  it('lets browsers keep its assets, and shows a page of its own for what does not exist', async () => {
    const url = await serve(http);
    const asset = await ask(`${url}/guide/assets/app.a1.js`);
    expect([asset.status, asset.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
    const missing = await ask(`${url}/guide/use/nothing`);
    expect([missing.status, missing.text]).toEqual([404, PAGE]);
    expect((await ask(`${url}/guide/..%2f..%2fpackage.json`)).status).toBe(403);
  });

  it('follows the path of PUBLIC_URL', async () => {
    const url = await serve({ ...http, publicUrl: 'https://example.com/voice/' });
    expect((await ask(`${url}/guide`)).headers.get('location')).toBe('/voice/guide/');
    expect((await ask(`${url}/guide/`)).text).toContain('src="/voice/guide/assets/app.a1.js"');
    expect((await ask(`${url}/guide/assets/app.a1.js`)).text).toContain('"/voice/guide/"');
  });

  it.each([
    ['it is not built', { ...http }],
    ['the documentation is disabled', { ...http, docsEnabled: false }],
  ])('does not exist where %s', async (_why, settings) => {
    if (settings.docsEnabled) rmSync(join(folder, 'index.html'));
    const url = await serve(settings);
    for (const path of ['/guide', '/guide/', '/guide/use/quickstart']) {
      expect((await ask(url + path)).status).toBe(404);
    }
  });
});

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

it('the version of package.json is shown at /health/live, at / and in the OpenAPI document', async () => {
  const live = (await (await fetch(`${baseUrl()}/health/live`)).json()) as { version: string };
  expect(live).toEqual({ status: 'ok', version });
  const page = await fetch(`${baseUrl()}/`, { headers: { accept: 'text/html' } });
  expect(await page.text()).toContain(`version ${version}`);
  const document = (await (await fetch(`${baseUrl()}/docs-json`)).json()) as { info: { version: string } };
  expect(document.info.version).toBe(version);
});
