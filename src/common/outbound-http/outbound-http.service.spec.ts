import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RequestListener } from 'node:http';
import { echo, httpServer } from './local-server.fake.js';
import type { OutboundRequest } from './outbound-exchange.js';
import { OutboundBench } from './outbound-bench.fake.js';

describe('OutboundHttpService', () => {
  let bench: OutboundBench;

  beforeEach(() => {
    bench = new OutboundBench();
  });

  afterEach(() => bench.close());

  describe('request', () => {
    async function seen(more: Partial<OutboundRequest>) {
      const result = await bench.request(await bench.serving(httpServer(echo)), more);
      if (!result.ok) throw new Error(result.message);
      return JSON.parse(result.body) as {
        method: string;
        url: string;
        headers: Record<string, string>;
        body: string;
      };
    }

    it('has the given method, path, query and body, and the User-Agent of the service', async () => {
      const request = await seen({ body: '{"name":"Zoë"}', headers: { 'Content-Type': 'application/json' } });
      expect(request).toMatchObject({ method: 'POST', url: '/path?a=1', body: '{"name":"Zoë"}' });
      expect(request.headers).toMatchObject({
        'user-agent': 'Spec/1.0',
        'content-type': 'application/json',
        'content-length': '15',
        'accept-encoding': 'identity',
      });
    });

    it('ignores framing headers and Host of the caller', async () => {
      const request = await seen({
        body: 'four',
        headers: {
          Host: 'internal',
          'Content-Length': '999',
          'Transfer-Encoding': 'chunked',
          Connection: 'upgrade',
          Upgrade: 'websocket',
          Expect: '100-continue',
          'Accept-Encoding': 'gzip',
          'X-Own': 'kept',
        },
      });
      expect(request.body).toBe('four');
      expect(request.headers).toMatchObject({
        'x-own': 'kept',
        'content-length': '4',
        'accept-encoding': 'identity',
      });
      expect(request.headers.host).toMatch(/^127\.0\.0\.1:/);
      expect(request.headers).not.toHaveProperty('upgrade');
      expect(request.headers).not.toHaveProperty('expect');
    });

    it('sends a header once when it is given in two spellings', async () => {
      const request = await seen({
        headers: { 'content-type': 'text/plain', 'Content-Type': 'application/json' },
      });
      expect(request.headers['content-type']).toBe('application/json');
    });

    it.each([
      ['a line break in a value', { 'X-Own': 'a\r\nX-Injected: b' }],
      ['a blank in a name', { 'X Own': 'a' }],
      ['a character that no header can carry', { 'X-Own': '日本' }],
    ])('refuses %s', async (_what, headers) => {
      const server = await bench.serving(httpServer(echo));
      expect(await bench.request(server, { headers })).toMatchObject({ ok: false, error: 'invalid_request' });
      expect(server.connections()).toBe(0);
    });
  });

  describe('response', () => {
    it('has status, headers, body and duration', async () => {
      const server = await bench.serving(
        httpServer((_request, response) => {
          response.setHeader('Set-Cookie', ['a=1', 'b=2']);
          response.writeHead(503, { 'Retry-After': '30' }).end('busy');
        }),
      );
      const result = await bench.request(server);
      expect(result).toMatchObject({ ok: true, statusCode: 503, body: 'busy', truncated: false });
      expect(result).toMatchObject({ headers: { 'retry-after': '30', 'set-cookie': 'a=1, b=2' } });
      expect(result.durationMs).toBeGreaterThanOrEqual(0);
    });

    it.each([301, 302, 303, 307, 308])('%i is returned like any other status', async (statusCode) => {
      const target = await bench.serving(httpServer(echo));
      const server = await bench.serving(
        httpServer((_request, response) => {
          response.writeHead(statusCode, { location: `http://127.0.0.1:${target.port}/` }).end();
        }),
      );
      expect(await bench.request(server)).toMatchObject({ ok: true, statusCode });
      expect(target.connections()).toBe(0);
    });

    it('does not decompress a body', async () => {
      const server = await bench.serving(
        httpServer((_request, response) =>
          response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip'),
        ),
      );
      expect(await bench.request(server)).toMatchObject({ ok: true, body: 'not gzip' });
    });

    it('keeps a body at the limit, and truncates one with a byte more', async () => {
      const server = await bench.serving(httpServer((request, response) => void request.pipe(response)));
      const whole = await bench.request(server, { body: 'x'.repeat(4096) });
      expect(whole).toMatchObject({ ok: true, truncated: false, body: 'x'.repeat(4096) });
      const cut = await bench.request(server, { body: 'x'.repeat(4097) });
      expect(cut).toMatchObject({ ok: true, truncated: true, body: 'x'.repeat(4096) });
    });

    it('truncates an endless body and closes its connection', async () => {
      const server = await bench.serving(httpServer(endless));
      const result = await bench.request(server, { maxResponseBytes: 1000 });
      expect(result).toMatchObject({ ok: true, statusCode: 200, truncated: true, body: 'y'.repeat(1000) });
      await server.connectionGone;
    });
  });
});

const endless: RequestListener = (_request, response) => {
  const pour = () => {
    while (!response.destroyed && response.write('y'.repeat(1024)));
  };
  response.on('drain', pour);
  pour();
};
