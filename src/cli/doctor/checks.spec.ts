import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkDataDir, checkDatabase, checkRedis } from './check-storage.js';
import { checkCarrier, checkModel, checkPort, checkPublicUrl } from './check-network.js';
import { unreachableServer, fakeServer, type FakeServer } from './doctor.fake.js';
import { singleModelSettings } from '#src/config/env.dto.js';
import { runCheck } from './finding.js';
import type { Settings } from '#src/config/settings.js';

describe('doctor checks', () => {
  const servers: FakeServer[] = [];
  let dir: string;

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'doctor-'));
  });

  afterEach(async () => {
    rmSync(dir, { recursive: true, force: true });
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  async function serving(status: number, body?: unknown): Promise<FakeServer> {
    const server = await fakeServer(() => ({ status, body }));
    servers.push(server);
    return server;
  }

  describe('data directory', () => {
    it('is created, and keeps no file of the check', async () => {
      const dataDir = join(dir, 'new');
      expect(await checkDataDir(dataDir)).toMatchObject({ what: expect.stringContaining('can be written') });
      expect(readdirSync(dataDir)).toEqual([]);
    });

    it('fails below a file', async () => {
      writeFileSync(join(dir, 'file'), '');
      expect(await checkDataDir(join(dir, 'file', 'data'))).toMatchObject({
        state: 'fail',
        what: expect.stringContaining('cannot be written (ENOTDIR)'),
        todo: expect.stringContaining('DATA_DIR'),
      });
    });
  });

  describe('port', () => {
    it('passes when free or used by the service, fails when used by another program', async () => {
      const { port } = await unreachableServer();
      expect(await checkPort({ host: '127.0.0.1', port }, false)).toMatchObject({ state: 'ok' });
      const other = await serving(200);
      expect(await checkPort({ host: '127.0.0.1', port: other.port }, true)).toMatchObject({ state: 'ok' });
      expect(await checkPort({ host: '127.0.0.1', port: other.port }, false)).toEqual({
        state: 'fail',
        what: `another program has port ${other.port}`,
        todo: 'stop that program, or set PORT',
      });
    });
  });

  describe('database', () => {
    it('that cannot be reached is reported without its password', async () => {
      const { port } = await unreachableServer();
      const databaseUrl = `postgres://ada:secret@127.0.0.1:${port}/calls`;
      const result = await checkDatabase({ databaseUrl, dataDir: dir });
      expect(result).toMatchObject({
        state: 'fail',
        what: expect.stringContaining(`127.0.0.1:${port}/calls`),
      });
      expect(JSON.stringify(result)).not.toContain('secret');
    });
  });

  describe('redis', () => {
    const external = { databaseUrl: 'postgres://127.0.0.1/calls', embeddedRedis: true, dataDir: '/nowhere' };

    it('that cannot be reached is reported without its password', async () => {
      const { port } = await unreachableServer();
      const result = await checkRedis({ ...external, redisUrl: `redis://:secret@127.0.0.1:${port}` }, false);
      expect(result).toMatchObject({ state: 'fail', what: expect.stringContaining(`127.0.0.1:${port}`) });
      expect(JSON.stringify(result)).not.toContain('secret');
    });

    it('that is not set is a warning with an external database', async () => {
      expect(await checkRedis({ ...external, redisUrl: null }, false)).toMatchObject({ state: 'warn' });
    });
  });

  describe('carrier', () => {
    const carrier = (apiUrl: string) => ({
      carrier: { accountSid: 'AC1', authToken: 'key', apiUrl },
      production: true,
    });

    it('receives a request for one call with the credentials', async () => {
      const server = await serving(200, { calls: [] });
      expect(await checkCarrier(carrier(server.url))).toEqual({
        state: 'ok',
        what: 'accepts the credentials',
      });
      const authorization = `Basic ${Buffer.from('AC1:key').toString('base64')}`;
      expect(server.requests).toEqual([
        { path: '/2010-04-01/Accounts/AC1/Calls.json?PageSize=1', authorization },
      ]);
    });

    it.each([
      [401, 'TWILIO_AUTH_TOKEN'],
      [404, 'TWILIO_API_URL'],
    ])('that responds with %d fails', async (status, advice) => {
      const { url } = await serving(status);
      expect(await checkCarrier(carrier(url))).toMatchObject({
        state: 'fail',
        todo: expect.stringContaining(advice),
      });
    });

    it('that cannot be reached fails, the sandbox passes', async () => {
      const { url } = await unreachableServer();
      expect(await checkCarrier(carrier(url))).toMatchObject({
        state: 'fail',
        what: expect.stringContaining('ECONNREFUSED'),
      });
      expect(await checkCarrier({ carrier: null, production: false })).toMatchObject({ state: 'ok' });
    });

    it('that is the sandbox is a warning in production', async () => {
      const elsewhere = {
        accountSid: `AC${'0'.repeat(32)}`,
        authToken: 'key',
        apiUrl: 'http://sandbox:4010',
      };
      for (const sandbox of [null, elsewhere]) {
        expect(await checkCarrier({ carrier: sandbox, production: true })).toMatchObject({
          state: 'warn',
          what: expect.stringContaining('ALLOW_SANDBOX'),
        });
      }
      const model = singleModelSettings({ baseUrl: 'http://sandbox:4010/v1', apiKey: 'key' });
      expect(await checkModel({ model, carrier: elsewhere, production: true })).toMatchObject({
        state: 'warn',
      });
    });
  });

  describe('model', () => {
    const real = { carrier: { accountSid: 'AC1', authToken: 'key', apiUrl: null }, production: true };

    it.each([
      [200, 'ok'],
      [401, 'fail'],
      [404, 'warn'],
      [500, 'fail'],
    ])('that responds with %d: %s', async (status, state) => {
      const { url, requests } = await serving(status);
      expect(
        await checkModel({ model: singleModelSettings({ baseUrl: `${url}/v1`, apiKey: 'key' }), ...real }),
      ).toMatchObject({
        state,
      });
      expect(requests).toEqual([{ path: '/v1/models', authorization: 'Bearer key' }]);
    });
  });

  describe('public URL', () => {
    const real = { accountSid: 'AC1', authToken: 'key', apiUrl: null };
    const at = (publicUrl: string, carrier: Settings['carrier'] = null) => ({
      http: { publicUrl } as Settings['http'],
      carrier,
    });

    it.each(['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000'])(
      '%s is a warning with a real carrier',
      async (url) => {
        expect(await checkPublicUrl(at(url, real), true)).toMatchObject({
          state: 'warn',
          todo: expect.stringContaining('set PUBLIC_URL'),
        });
      },
    );

    it('without https is a warning with a real carrier', async () => {
      expect(await checkPublicUrl(at('http://calls.example.com', real), false)).toMatchObject({
        state: 'warn',
      });
    });

    it('is requested while the service runs', async () => {
      const { url } = await serving(200, { status: 'ok' });
      expect(await checkPublicUrl(at(url), true)).toEqual({ state: 'ok', what: `${url} leads here` });
      const other = await serving(200, { hello: 'world' });
      expect(await checkPublicUrl(at(other.url), true)).toMatchObject({ state: 'warn' });
    });
  });

  it('are reported as failed when they throw', async () => {
    const broken = async (): Promise<never> => {
      throw new Error('unexpected');
    };
    expect(await runCheck('disk', broken)).toMatchObject({
      name: 'disk',
      state: 'fail',
      what: expect.stringContaining('unexpected'),
    });
  });
});
