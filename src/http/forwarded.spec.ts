import { Logger } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { checkProxies } from '#src/cli/doctor/check-network.js';
import { fastifyOptions } from './fastify-options.js';
import { FORWARDED_IGNORED, logUntrustedProxies } from './forwarded.js';

Logger.overrideLogger(false);

describe('logUntrustedProxies', () => {
  let app: FastifyInstance;
  let address: string;

  afterEach(() => app.close());

  async function open(trustedProxies: string[]): Promise<void> {
    app = fastify(fastifyOptions({ trustedProxies }));
    logUntrustedProxies(app);
    for (const path of ['/health/live', '/other']) app.get(path, async ({ ip }) => ({ status: 'ok', ip }));
    address = await app.listen({ port: 0, host: '127.0.0.1' });
  }

  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const { headers: told } = await fetch(address + path, { headers });
    return told.get(FORWARDED_IGNORED);
  };
  const FORWARDED = { 'x-forwarded-for': '198.51.100.1' };

  it.each([
    ['nobody', [], FORWARDED, 'true'],
    ['others', ['10.0.0.0/8'], FORWARDED, 'true'],
    ['the peer', ['127.0.0.0/8'], FORWARDED, null],
    ['nobody, without a proxy', [], {}, null],
  ])('reports to the health check what is ignored, trusting %s', async (_, trusted, headers, told) => {
    await open(trusted);
    expect([await ask('/health/live', headers), await ask('/other', headers)]).toEqual([told, null]);
  });

  it('is what doctor warns of', async () => {
    await open([]);
    const proxy = fastify();
    proxy.get('/health/live', async (_request, reply) => {
      const answer = await fetch(`${address}/health/live`, { headers: FORWARDED });
      return reply.headers(Object.fromEntries(answer.headers)).send(await answer.json());
    });
    const publicUrl = await proxy.listen({ port: 0, host: '127.0.0.1' });
    expect(await checkProxies({ http: { publicUrl: address } })).toMatchObject({ state: 'ok' });
    expect(await checkProxies({ http: { publicUrl } })).toEqual({
      state: 'warn',
      what: 'the address of the proxy is not trusted: all clients share the limits of one address',
      todo: 'set TRUSTED_PROXIES to the network of the proxy',
    });
    await proxy.close();
    expect(await checkProxies({ http: { publicUrl } })).toMatchObject({ state: 'ok' });
  });
});
