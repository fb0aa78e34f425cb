import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';

describe('Caddyfile', () => {
  const text = readFileSync('docker/Caddyfile', 'utf8');
  const withDefaults = text.replace(/\{\$\w+:([^}]*)\}/g, '$1');
  const patterns = /@public path (.*)/.exec(withDefaults)?.[1]?.split(' ') ?? [];
  /** A Caddy path matcher: a star at the end matches everything. */
  const passes = (path: string): boolean =>
    patterns.some((one) => (one.endsWith('*') ? path.startsWith(one.slice(0, -1)) : path === one));

  const setup = readFileSync('src/app.setup.ts', 'utf8');
  const sockets = ['telephony/twilio/carrier', 'web-calls/web-call'].map((name) =>
    readFileSync(`src/modules/${name}-socket.service.ts`, 'utf8'),
  );
  const withoutPrefix = /WITHOUT_PREFIX = \[([^\]]*)\]/.exec(setup)?.[1] ?? '';
  const found = (texts: string[], pattern: RegExp): string[] =>
    texts.flatMap((one) => [...one.matchAll(pattern)].map(([, path = '']) => path));
  /** Paths outside the API prefix: of controllers without the prefix, and of sockets. */
  const beside = [
    ...found([withoutPrefix], /'\/?([^']*)'/g)
      .filter((path) => !/^metrics\b/.test(path))
      .map((path) => `/${path.replace('*path', 'one')}`),
    ...found(sockets, /url\?\.startsWith\('(\/[^']+)'/g).map((path) => `${path}one`),
  ];

  it('is compared with the routes of the service', () => {
    expect(new Set(beside.map((path) => path.split('/')[1]))).toEqual(
      new Set([
        '',
        'console',
        'docs',
        'docs-json',
        'docs-yaml',
        'embed.js',
        'guide',
        'health',
        'recordings',
        'telephony',
        'web-calls',
        'widget-preview',
      ]),
    );
  });

  it.each([...beside, '/api', '/api/user/me', '/api/web-calls', '/api/conversations/one/messages'])(
    'passes %s',
    (path) => expect(passes(path)).toBe(true),
  );

  it.each(['/metrics', '/admin/queues', '/admin/queues/api/queues', '/apix', '/anything', '/web-calls'])(
    'does not publish %s',
    (path) => expect(passes(path)).toBe(false),
  );

  it('sends browsers the header that enforces HTTPS', () => {
    expect(text).toMatch(/^\theader Strict-Transport-Security "max-age=31536000"$/m);
  });
});
