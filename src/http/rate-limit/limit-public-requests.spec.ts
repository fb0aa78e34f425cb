import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import type { TokenGrant } from '#src/auth/access-tokens.service.js';
import { freePort } from '#src/embedded/free-port.js';
import { limitPublicRequests } from './limit-public-requests.js';
import { limitRequests } from './limit-requests.js';

Logger.overrideLogger(false);

const UUID = '3f0c6f0e-2c55-4b0e-9f0b-6f2f3d6a1c11';

describe('limitPublicRequests', () => {
  let app: FastifyInstance;
  let address: string;

  beforeEach(() => {
    app = fastify({ trustProxy: true });
    app.decorateRequest('grant', null);
  });

  afterEach(() => app.close());

  async function open(redisUrl: string | null, perMinute = 6): Promise<void> {
    app.addHook('onRequest', async (request) => {
      const grant: TokenGrant = {
        id: 1,
        name: 'a key',
        accountId: 1,
        scopes: ['admin'],
        allowedAddresses: [],
        expiresAt: null,
        isUseDue: false,
      };
      request.grant = request.headers.authorization === undefined ? null : grant;
    });
    await limitRequests(app, { perMinute: null, redisUrl, counts: () => true, isToken: () => true });
    limitPublicRequests(app, { perMinute });
    app.addHook('preHandler', async (request) => {
      if (request.headers['foreign'] !== undefined) await request.countAsVisitor?.();
    });
    app.post('/:uuid', { config: { publicLimit: 'message' } }, async () => 'ok');
    app.post('/', { config: { publicLimit: 'begin' } }, async () => 'ok');
    app.get('/:uuid', { config: { publicLimit: 'read' } }, async () => 'ok');
    app.get('/others', async () => 'ok');
    app.setErrorHandler((error, _request, reply) =>
      reply.status((error as { status?: number }).status ?? 500).send(String(error)),
    );
    address = await app.listen({ port: 0, host: '127.0.0.1' });
  }

  const ask = async (
    method: 'GET' | 'POST',
    path: string,
    headers: Record<string, string> = {},
    body = '',
  ) => {
    const sent = { 'x-forwarded-for': '198.51.100.1', ...headers };
    return (await fetch(address + path, { method, headers: sent, ...(body && { body }) })).status;
  };

  const several = async (count: number, asked: () => Promise<number>): Promise<number[]> => {
    const statuses: number[] = [];
    for (let left = count; left > 0; left -= 1) statuses.push(await asked());
    return statuses;
  };

  it.each([
    ['without Redis', async () => null],
    ['while Redis does not answer', async () => `redis://127.0.0.1:${await freePort()}`],
  ])('limits an address %s', async (_, redisUrl) => {
    await open(await redisUrl());
    expect(await several(2, () => ask('POST', '/'))).toEqual([200, 429]);
    expect(await several(5, () => ask('GET', `/${UUID}`))).toEqual([200, 200, 200, 200, 429]);
    expect(await ask('GET', `/${UUID}`, { 'x-forwarded-for': '198.51.100.2' })).toBe(200);
  });

  it("counts neither requests with a token of the assistant's account nor those of other routes", async () => {
    await open(null);
    expect(await several(9, () => ask('POST', '/', { authorization: 'Bearer x' }))).not.toContain(429);
    expect(await several(9, () => ask('GET', '/others'))).not.toContain(429);
  });

  it('counts requests with a token of another account by their address', async () => {
    await open(null);
    const foreign = { authorization: 'Bearer x', foreign: 'yes' };
    expect(await several(2, () => ask('POST', '/', foreign))).toEqual([200, 429]);
    expect(await ask('POST', '/')).toBe(429);
    expect(await ask('POST', '/', { authorization: 'Bearer x' })).toBe(200);
  });

  it('counts messages by what they are sent to, however its id is written, and by their address', async () => {
    await open(null, 60);
    const say = (uuid: string, from: string) => ask('POST', `/${uuid}`, { 'x-forwarded-for': from });
    const statuses: number[] = [];
    for (let count = 0; count < 21; count += 1)
      statuses.push(await say(count % 2 ? UUID : UUID.toUpperCase(), `198.51.100.${count}`));
    expect(statuses.map((status) => status === 429)).toEqual(statuses.map((_, index) => index === 20));
    let other = 0;
    const others = await several(21, () => say(UUID.replace(/^../, String(10 + other++)), '198.51.100.99'));
    expect(others.map((status) => status === 429)).toEqual(others.map((_, index) => index === 20));
  });

  it('counts the addresses of one IPv6 network together, and mapped ones as what they are', async () => {
    await open(null);
    expect(await ask('POST', '/', { 'x-forwarded-for': '2001:db8::1' })).toBe(200);
    expect(await ask('POST', '/', { 'x-forwarded-for': '2001:db8:0:0:1::' })).toBe(429);
    expect(await ask('POST', '/', { 'x-forwarded-for': '2001:db8:0:1::1' })).toBe(200);
    expect(await ask('POST', '/')).toBe(200);
    expect(await ask('POST', '/', { 'x-forwarded-for': '::ffff:198.51.100.1' })).toBe(429);
  });

  it('refuses a large body before it is read', async () => {
    await open(null);
    expect(await ask('POST', '/', {}, 'x'.repeat(64 * 1024 + 1))).toBe(413);
  });
});
