import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { ApiError } from '#src/common/errors/api-error.js';
import { limitRequests } from './limit-requests.js';

const ALL_BUT_DATE = [
  'nextTick',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
  'queueMicrotask',
  'performance',
  'hrtime',
] as const;

const isToken = (text: string): boolean => text.length === 1;

describe('limitRequests', () => {
  let app: FastifyInstance;
  let address: string;
  let server: Server | undefined;
  const sockets: Socket[] = [];

  beforeEach(() => {
    app = fastify();
    app.setErrorHandler((error, _request, reply) => {
      if (error instanceof ApiError) void reply.status(error.status).headers(error.headers).send(error.body);
      else void reply.status(500).send(String(error));
    });
  });

  afterEach(async () => {
    jest.useRealTimers();
    await app.close();
    for (const socket of sockets.splice(0)) socket.destroy();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
    server = undefined;
  });

  async function open(redisUrl: string | null, perMinute = 2): Promise<void> {
    await limitRequests(app, { perMinute, redisUrl, counts: ({ url }) => url !== '/open', isToken });
    for (const path of ['/', '/open']) app.get(path, async () => 'ok');
    address = await app.listen({ port: 0, host: '127.0.0.1' });
  }

  async function ask(token: string | null = 'a', path = '/') {
    const { status, headers } = await fetch(address + path, {
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
    });
    const [remaining, reset, retryAfter] = ['x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'].map(
      (name) => headers.get(name),
    );
    return { status, remaining, reset, retryAfter };
  }

  async function listen(talk: (socket: Socket) => void): Promise<string> {
    server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      talk(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it('counts each token in windows of a minute that begin with its first request', async () => {
    jest.useFakeTimers({ doNotFake: [...ALL_BUT_DATE], now: 0 });
    await open(null);
    expect(await ask('a')).toMatchObject({ status: 200, remaining: '1' });
    jest.setSystemTime(20_000);
    expect(await ask('a')).toMatchObject({ status: 200, remaining: '0' });
    expect(await ask('b')).toMatchObject({ status: 200, remaining: '1' });
    expect(await ask('a')).toMatchObject({
      status: 429,
      remaining: '0',
      retryAfter: '40',
      reset: '60',
    });
    jest.setSystemTime(60_000);
    expect(await ask('a')).toMatchObject({ status: 200, remaining: '1' });
    expect(await ask('b')).toMatchObject({ status: 200, remaining: '0' });
  });

  it('counts neither requests without a well-formed token nor those of other routes', async () => {
    await open(null, 1);
    for (const [token, url] of [
      [null, '/'],
      ['random', '/'],
      ['random', '/'],
      ['a', '/open'],
      ['a', '/open'],
    ] as const) {
      expect(await ask(token, url)).toMatchObject({ status: 200, remaining: null });
    }
    expect(await ask('a')).toMatchObject({ status: 200, remaining: '0' });
  });

  it('accepts requests while Redis is unavailable', async () => {
    const url = await listen(() => undefined);
    await new Promise((resolve) => server?.close(resolve));
    await open(url, 1);
    for (let count = 0; count < 3; count++) {
      expect(await ask()).toMatchObject({ status: 200, remaining: null });
    }
  });

  it('accepts requests when Redis hangs, and does not delay each of them', async () => {
    const asked: string[] = [];
    const evals = () => asked.filter((command) => /eval/i.test(command)).length;
    const url = await listen((socket) => {
      socket.on('data', (data) => {
        asked.push(data.toString());
        // From the first count on it answers nothing, not even who connects again.
        if (evals() > 0) return;
        if (/info/i.test(data.toString())) socket.write('$11\r\nloading:0\r\n\r\n');
        else socket.write('+OK\r\n');
      });
    });
    await open(url, 1);
    expect(await ask()).toMatchObject({ status: 200, remaining: null });
    expect(evals()).toBe(1);
    for (let count = 0; count < 3; count++) {
      expect(await ask()).toMatchObject({ status: 200, remaining: null });
    }
    expect(evals()).toBe(1);
  });
});
