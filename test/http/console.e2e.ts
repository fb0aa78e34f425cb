import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { baseUrl } from '../support/client.js';

const HTTP = { publicUrl: 'https://calls.example.com/voice/', apiPrefix: '/api', consoleEnabled: true };
const SCRIPT = 'console.log("a script of the console")';

let folder: string;
let host: ChildProcess | null = null;
let url: string;

const write = (name: string, content: string | Buffer): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
};

async function start(settings: object = {}): Promise<void> {
  const args = [folder, JSON.stringify({ ...HTTP, ...settings })];
  host = fork('test/support/page-host.mjs', ['console', ...args], { execArgv: [] });
  const [port] = await once(host, 'message');
  url = `http://127.0.0.1:${port}`;
}

async function stop(): Promise<void> {
  if (!host) return;
  const exit = once(host, 'exit');
  host.disconnect();
  await exit;
  host = null;
}

async function ask(path: string, headers: Record<string, string> = { 'accept-encoding': 'identity' }) {
  const response = await fetch(url + path, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'console-'));
  write(
    'index.html',
    '<!doctype html><html><head><script src="./assets/index-a1.js"></script></head></html>',
  );
  write('assets/index-a1.js', SCRIPT);
  write('assets/index-a1.js.gz', gzipSync(SCRIPT));
  write('favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
});

afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

describe('the console', () => {
  it('needs no key for its page', async () => {
    const { status } = await fetch(`${baseUrl()}/console`);
    expect(status).toBe(existsSync('dist/console/index.html') ? 200 : 404);
  });

  it('has its page at every address without an extension, which knows where it is and is asked for each time', async () => {
    await start();
    for (const path of ['/console', '/console/', '/console/calls/7', '/console/index.html']) {
      const { status, headers, text } = await ask(path);
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
    await start();
    const policy = (await ask('/console')).headers.get('content-security-policy') ?? '';
    const directives = new Map(policy.split(';').map((one) => [one.split(' ')[0], one]));
    expect(directives.get('default-src')).toBe("default-src 'none'");
    expect(directives.get('script-src')).toBe("script-src 'self'");
    expect(directives.get('connect-src')).toBe(
      "connect-src 'self' https://calls.example.com wss://calls.example.com blob:",
    );
    expect(directives.get('frame-ancestors')).toBe("frame-ancestors 'none'");
  });

  it('has assets that are kept for a year, compressed where the browser takes it', async () => {
    await start();
    const plain = await ask('/console/assets/index-a1.js');
    expect(plain.text).toBe(SCRIPT);
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(plain.headers.get('content-type')).toMatch(/^(text|application)\/javascript/);
    const packed = await ask('/console/assets/index-a1.js', { 'accept-encoding': 'gzip' });
    expect([packed.headers.get('content-encoding'), packed.text]).toEqual(['gzip', SCRIPT]);
    expect(packed.headers.get('content-type')).toBe(plain.headers.get('content-type'));
    const icon = await ask('/console/favicon.svg');
    expect([icon.status, icon.headers.get('cache-control')]).toEqual([200, 'public, max-age=0']);
  });

  it.each([
    ['/console/assets/index-b2.js', 404, 'Not Found'],
    ['/console/none.png', 404, 'Not Found'],
    ['/console/assets/..%2f..%2fpackage.json', 403, 'Forbidden'],
  ])(
    'answers %s, which is no file of the build, with a %i that is not kept',
    async (path, wanted, message) => {
      await start();
      const { status, headers, text } = await ask(path);
      expect([status, JSON.parse(text)]).toEqual([wanted, { message }]);
      expect(headers.get('cache-control')).toBe('no-store');
    },
  );

  it('is not there before it is built, nor when it is switched off, and is there without a restart', async () => {
    rmSync(join(folder, 'index.html'));
    await start();
    expect((await ask('/console/calls')).status).toBe(404);
    write('index.html', '<html><head></head></html>');
    expect((await ask('/console/calls')).status).toBe(200);
    await stop();
    await start({ consoleEnabled: false });
    expect((await ask('/console')).status).toBe(404);
  });
});
