import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { respondWithoutUpgrade, handshakeRefusal, isWebSocketUpgrade } from './upgrades.js';

describe('respondWithoutUpgrade', () => {
  let server: Server;

  beforeEach(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method, url, headers } = request;
        response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }));
      });
    });
    server.on('upgrade', (request, socket, head) => {
      if (isWebSocketUpgrade(request)) socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
      else respondWithoutUpgrade(server, request, socket, head);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(() => void (server.closeAllConnections(), server.close()));

  async function sent(...parts: string[]): Promise<string> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    for (const part of parts) socket.write(part);
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    return text;
  }

  const offer = (upgrade: string, more = '') =>
    `POST /a?b=1 HTTP/1.1\r\nHost: x\r\nUpgrade: ${upgrade}\r\nHTTP2-Settings: AAMAAABk\r\n${more}`;

  it.each(['h2c', 'H2C', 'TLS/1.0', 'foo/2'])('responds to a request that offers %s', async (upgrade) => {
    const more = 'Connection: Upgrade, HTTP2-Settings, close\r\nContent-Length: 4\r\n\r\n';
    const answer = await sent(offer(upgrade, more), 'four');
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK/);
    const seen = JSON.parse(answer.slice(answer.indexOf('{'))) as { headers: object };
    expect(seen).toMatchObject({ method: 'POST', url: '/a?b=1', body: 'four' });
    expect(seen.headers).toEqual({ host: 'x', connection: 'close', 'content-length': '4' });
  });

  it('responds to later requests on the same connection', async () => {
    const first = offer('h2c', 'Connection: Upgrade, HTTP2-Settings\r\nContent-Length: 0\r\n\r\n');
    const answer = await sent(first, 'GET /second HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(answer.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expect(answer).toContain('/second');
  });

  it('leaves WebSocket requests to other handlers', async () => {
    expect(await sent(offer('WebSocket', 'Connection: Upgrade\r\n\r\n'))).toMatch(/ 101 /);
  });
});

describe('handshakeRefusal', () => {
  const GOOD = { 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
  const problem = (headers: Record<string, string | undefined>, method = 'GET') =>
    handshakeRefusal({ method, headers: { ...GOOD, ...headers } } as unknown as IncomingMessage);

  it.each<[string, Record<string, string | undefined>, RegExp]>([
    ['no version', { 'sec-websocket-version': undefined }, /^426 .*\r\nSec-WebSocket-Version: 13, 8$/],
    ['another version', { 'sec-websocket-version': '99' }, /^426 /],
    ['no key', { 'sec-websocket-key': undefined }, /^400 /],
    ['a key that is no key', { 'sec-websocket-key': 'x' }, /^400 /],
    ['a protocol that is none', { 'sec-websocket-protocol': 'a,,b' }, /^400 /],
  ])('names %s', (_what, headers, expected) => {
    expect(problem(headers)).toMatch(expected);
  });

  it('accepts valid handshakes', () => {
    expect([problem({}), problem({ 'sec-websocket-protocol': 'a, b' }), problem({}, 'POST')]).toEqual([
      null,
      null,
      '405 Method Not Allowed',
    ]);
  });
});
