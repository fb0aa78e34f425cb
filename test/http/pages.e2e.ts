import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { baseUrl } from '../support/client.js';
import { PageServer } from '../support/page-server.js';

let server: PageServer;
let folder: string;

const write = (name: string, content: string | Buffer): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
};

async function ask(url: string, headers: Record<string, string> = { 'accept-encoding': 'identity' }) {
  const response = await fetch(url, { redirect: 'manual', headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

beforeAll(() => {
  server = new PageServer();
});
afterAll(() => server.stop());

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pages-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the console', () => {
  const http = { publicUrl: 'https://calls.example.com/voice/', apiPrefix: '/api', consoleEnabled: true };
  const script = 'console.log("a script of the console")';
  const serve = (settings: object = {}): Promise<string> =>
    server.serve('console', folder, { ...http, ...settings });

  beforeEach(() => {
    write(
      'index.html',
      '<!doctype html><html><head><script src="./assets/index-a1.js"></script></head></html>',
    );
    write('assets/index-a1.js', script);
    write('assets/index-a1.js.gz', gzipSync(script));
    write('favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  });

  it('needs no key for its page', async () => {
    const { status } = await fetch(`${baseUrl()}/console`);
    expect(status).toBe(existsSync('dist/console/index.html') ? 200 : 404);
  });

  it('has its page at every address without an extension, which has its base path and is requested each time', async () => {
    const url = await serve();
    for (const path of ['/console', '/console/', '/console/calls/7', '/console/index.html']) {
      const { status, headers, text } = await ask(url + path);
      expect([path, status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
        path,
        200,
        'text/html; charset=utf-8',
        'no-cache',
      ]);
      expect(text).toContain('<base href="/voice/console/">');
      expect(text).toContain('<meta name="api-base" content="/voice/api">');
      expect(text.indexOf('<base')).toBeLessThan(text.indexOf('<script'));
    }
  });

  it('allows scripts of its own only, and connections to the service only', async () => {
    const url = await serve();
    const policy = (await ask(`${url}/console`)).headers.get('content-security-policy') ?? '';
    const directives = new Map(policy.split(';').map((one) => [one.split(' ')[0], one]));
    expect(directives.get('default-src')).toBe("default-src 'none'");
    expect(directives.get('script-src')).toBe("script-src 'self'");
    expect(directives.get('connect-src')).toBe(
      "connect-src 'self' https://calls.example.com wss://calls.example.com blob:",
    );
    expect(directives.get('frame-ancestors')).toBe("frame-ancestors 'none'");
  });

  it('has assets that are cached for a year, compressed where the browser supports it', async () => {
    const url = await serve();
    const plain = await ask(`${url}/console/assets/index-a1.js`);
    expect(plain.text).toBe(script);
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(plain.headers.get('content-type')).toMatch(/^(text|application)\/javascript/);
    const packed = await ask(`${url}/console/assets/index-a1.js`, { 'accept-encoding': 'gzip' });
    expect([packed.headers.get('content-encoding'), packed.text]).toEqual(['gzip', script]);
    expect(packed.headers.get('content-type')).toBe(plain.headers.get('content-type'));
    const icon = await ask(`${url}/console/favicon.svg`);
    expect([icon.status, icon.headers.get('cache-control')]).toEqual([200, 'public, max-age=0']);
  });

  it.each([
    ['/console/assets/index-b2.js', 404, 'Not Found'],
    ['/console/none.png', 404, 'Not Found'],
    ['/console/assets/..%2f..%2fpackage.json', 403, 'Forbidden'],
  ])(
    'responds to %s, which is no file of the build, with a %i that is not cached',
    async (path, wanted, message) => {
      const url = await serve();
      const { status, headers, text } = await ask(url + path);
      expect([status, JSON.parse(text)]).toEqual([wanted, { message }]);
      expect(headers.get('cache-control')).toBe('no-store');
    },
  );

  it('does not exist before it is built, nor when it is switched off, and exists without a restart', async () => {
    rmSync(join(folder, 'index.html'));
    const url = await serve();
    expect((await ask(`${url}/console/calls`)).status).toBe(404);
    write('index.html', '<html><head></head></html>');
    expect((await ask(`${url}/console/calls`)).status).toBe(200);
    const off = await serve({ consoleEnabled: false });
    expect((await ask(`${off}/console`)).status).toBe(404);
  });
});

describe('the guide', () => {
  const http = { publicUrl: 'https://calls.example.com', docsEnabled: true };
  const page = '<!doctype html><script type="module" src="/guide/assets/app.a1.js"></script>';
  const serve = (settings: typeof http): Promise<string> => server.serve('guide', folder, settings);

  beforeEach(() => {
    for (const name of ['index', 'use/quickstart', 'use/index', '404']) write(`${name}.html`, page);
    write('assets/app.a1.js', 'const site = { base: "/guide/" };');
  });

  it('shows its pages without an extension, with scripts of its own origin only', async () => {
    const url = await serve(http);
    for (const path of ['/guide/', '/guide/use/quickstart', '/guide/use/', '/guide/use']) {
      const { status, headers, text } = await ask(url + path);
      expect([status, text]).toEqual([200, page]);
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none';script-src 'self';/);
    }
    const { status, headers } = await ask(`${url}/guide`);
    expect([status, headers.get('location')]).toEqual([302, '/guide/']);
  });

  it('lets browsers cache its assets, and shows a page of its own for what does not exist', async () => {
    const url = await serve(http);
    const asset = await ask(`${url}/guide/assets/app.a1.js`);
    expect([asset.status, asset.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
    const missing = await ask(`${url}/guide/use/nothing`);
    expect([missing.status, missing.text]).toEqual([404, page]);
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
