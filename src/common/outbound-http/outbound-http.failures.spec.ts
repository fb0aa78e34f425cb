import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer as createTlsServer } from 'node:https';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { ScriptedResolver, SilentResolver } from './host-resolver.fake.js';
import { echo, httpServer, listen, tcpServer } from './local-server.fake.js';
import { OutboundBench } from './outbound-bench.fake.js';
import type { OutboundResult } from './outbound-exchange.js';
import { selfSignedCertificate } from './self-signed.fake.js';

describe('OutboundHttpService failures', () => {
  let bench: OutboundBench;

  beforeEach(() => {
    bench = new OutboundBench();
  });

  afterEach(() => bench.close());

  describe('time limit', () => {
    async function expectTimeout(result: Promise<OutboundResult>) {
      const { durationMs, ...rest } = await result;
      expect(rest).toMatchObject({ ok: false, error: 'timeout' });
      expect(durationMs).toBeGreaterThanOrEqual(95);
      expect(durationMs).toBeLessThan(2000);
    }

    it('covers a receiver that accepts and sends nothing', async () => {
      const server = await bench.serving(tcpServer(() => undefined));
      await expectTimeout(bench.request(server, { timeoutMs: 100 }));
      await server.connectionGone;
    });

    it('covers a slow body', async () => {
      const server = await bench.serving(httpServer(drip));
      await expectTimeout(bench.request(server, { timeoutMs: 150 }));
      await server.connectionGone;
    });

    it('covers slow headers', async () => {
      const server = await bench.serving(
        tcpServer((socket) => {
          socket.write('HTTP/1.1 200 OK\r\n');
          dripping(socket, 'X-Drip: 1\r\n');
        }),
      );
      await expectTimeout(bench.request(server, { timeoutMs: 150 }));
      await server.connectionGone;
    });

    it('covers endless informational responses', async () => {
      const server = await bench.serving(
        tcpServer((socket) => dripping(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n')),
      );
      await expectTimeout(bench.request(server, { timeoutMs: 150 }));
    });

    it('covers a name server that does not respond', async () => {
      await expectTimeout(
        bench.request('http://slow.example.com/', { timeoutMs: 100 }, bench.resolving(new SilentResolver())),
      );
    });

    it('covers a TLS handshake that does not complete', async () => {
      const { port } = await bench.serving(tcpServer(() => undefined));
      await expectTimeout(bench.request(`https://127.0.0.1:${port}/`, { timeoutMs: 100 }));
    });

    it('prevents the request from being sent afterwards', async () => {
      const received: string[] = [];
      const server = await bench.serving(
        httpServer((request, response) => {
          request.on('data', (chunk: Buffer) => received.push(chunk.toString()));
          request.on('end', () => response.end());
        }),
      );
      let answer: (addresses: string[]) => void = () => undefined;
      const answered = new Promise<string[]>((resolve) => (answer = resolve));
      const client = bench.resolving({ resolve: () => answered });
      const url = `http://late.example.com:${server.port}/`;
      await expectTimeout(bench.request(url, { timeoutMs: 100, body: 'late' }, client));
      answer(['127.0.0.1']);
      const next = await bench.request(url, { body: 'next' }, client);
      expect(next).toMatchObject({ ok: true });
      expect(received).toEqual(['next']);
    });
  });

  describe('error codes', () => {
    it.each(['ftp://example.com/', 'http://user:secret@example.com/', 'http://intranet/', 'nonsense', ''])(
      'invalid_url: %s',
      async (url) => expect(failure(await bench.request(url))).toBe('invalid_url'),
    );

    it('dns_failure: a name that does not exist', async () => {
      const result = await bench.request(
        'http://nowhere.invalid/',
        {},
        bench.resolving(new ScriptedResolver([])),
      );
      expect(result).toMatchObject({ ok: false, error: 'unreachable_address', reason: 'dns_failure' });
    });

    it('unreachable_address: the same text whether or not a name exists inside', async () => {
      const shown = async (...answers: string[][]) => {
        const client = bench.resolving(new ScriptedResolver(answers));
        const result = await bench.request('http://database.internal.example.com/', {}, client);
        return result.ok ? null : { error: result.error, message: result.message };
      };
      const unknown = await shown();
      expect(unknown).toEqual({
        error: 'unreachable_address',
        message: 'The host has no address that can be reached.',
      });
      expect(await shown(['10.0.0.5'])).toEqual(unknown);
      expect(await shown(['93.184.216.34', '10.0.0.5'])).toEqual(unknown);
      expect(await shown([])).toEqual(unknown);
    });

    it('dns_failure: a name without an address', async () => {
      expect(
        failure(
          await bench.request('http://empty.example.com/', {}, bench.resolving(new ScriptedResolver([[]]))),
        ),
      ).toBe('unreachable_address');
    });

    it('connect_failure: connection refused', async () => {
      const server = await httpServer(echo);
      await server.close();
      const result = await bench.request(server);
      expect(result).toMatchObject({ ok: false, error: 'connect_failure' });
      expect(result).toHaveProperty('message', 'No connection to the host could be made. (ECONNREFUSED)');
    });

    it('tls_failure: a self-signed certificate', async () => {
      const server = await bench.serving(listen(createTlsServer(selfSignedCertificate(), echo)));
      const result = await bench.request(`https://127.0.0.1:${server.port}/`);
      expect(result).toMatchObject({ ok: false, error: 'tls_failure' });
      expect(result).toHaveProperty('message', expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT'));
      await server.connectionGone;
    });

    it.each([
      ['garbage for the handshake', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
      ['an end in the handshake', ''],
    ])('tls_failure: %s', async (_what, answer) => {
      const { port } = await bench.serving(
        tcpServer((socket) => socket.once('data', () => socket.end(answer))),
      );
      expect(failure(await bench.request(`https://127.0.0.1:${port}/`))).toBe('tls_failure');
    });

    it.each([
      ['before the answer', ''],
      ['in the headers', 'HTTP/1.1 200 OK\r\nContent-'],
      ['in the body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'],
    ])('reset: the receiver closes the connection %s', async (_when, answer) => {
      const gone = (socket: Socket) =>
        socket.once('data', () =>
          answer ? socket.write(answer, () => socket.resetAndDestroy()) : socket.destroy(),
        );
      expect(failure(await bench.request(await bench.serving(tcpServer(gone))))).toBe('reset');
    });

    it('header_overflow: one header of 20 KiB', async () => {
      const server = await bench.answering(`HTTP/1.1 200 OK\r\nX-Bomb: ${'b'.repeat(20_480)}\r\n\r\n`);
      expect(failure(await bench.request(server))).toBe('header_overflow');
    });

    it('header_overflow: thousands of small headers', async () => {
      const server = await bench.answering('HTTP/1.1 200 OK\r\n', 'a: b\r\n'.repeat(10_000), '\r\n');
      expect(failure(await bench.request(server))).toBe('header_overflow');
    });

    it('header_overflow: large trailers', async () => {
      const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n';
      const server = await bench.answering(chunked, `X-Bomb: ${'b'.repeat(40_000)}\r\n\r\n`);
      expect(failure(await bench.request(server))).toBe('header_overflow');
    });

    it.each([
      ['not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n\r\n'],
      ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
      ['a broken chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n'],
    ])('protocol_error: %s', async (_what, answer) => {
      expect(failure(await bench.request(await bench.answering(answer)))).toBe('protocol_error');
    });

    it('aborted: by the caller, before the request is sent', async () => {
      const server = await bench.serving(httpServer(echo));
      expect(failure(await bench.request(server, { signal: AbortSignal.abort() }))).toBe('aborted');
      expect(server.connections()).toBe(0);
    });

    it('aborted: by the caller, during the request', async () => {
      const caller = new AbortController();
      const server = await bench.serving(httpServer(() => caller.abort()));
      expect(failure(await bench.request(server, { signal: caller.signal }))).toBe('aborted');
      await server.connectionGone;
    });

    it('aborted: the client is closed', async () => {
      const server = await bench.serving(httpServer(() => void bench.http.close()));
      expect(failure(await bench.request(server))).toBe('aborted');
      expect(failure(await bench.request(server))).toBe('aborted');
    });

    it('does not reveal the address of a blocked host', async () => {
      const client = bench.resolving(new ScriptedResolver([['10.1.2.3']]));
      expect(JSON.stringify(await bench.request('http://inner.example.com/', {}, client))).not.toContain(
        '10.1.2.3',
      );
    });
  });
});

function failure(result: OutboundResult): string {
  return result.ok ? `status ${result.statusCode}` : result.error;
}

const drip: RequestListener = (_request, response) => {
  response.flushHeaders();
  const timer = setInterval(() => response.write('.'), 10);
  response.once('close', () => clearInterval(timer));
};

function dripping(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 10);
  socket.once('close', () => clearInterval(timer));
}
