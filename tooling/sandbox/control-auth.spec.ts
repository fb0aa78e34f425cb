import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { request } from 'node:http';
import { SANDBOX_ACCOUNT_SID, SANDBOX_API_KEY, SANDBOX_AUTH_TOKEN } from './defaults.js';
import { Bench } from './sandbox.fake.js';

const BASIC = `Basic ${Buffer.from(`${SANDBOX_ACCOUNT_SID}:${SANDBOX_AUTH_TOKEN}`).toString('base64')}`;
const PATHS = ['/journal', '/config', '/inbound'];

describe('the journal and the control of the sandbox', () => {
  let bench: Bench;

  afterEach(() => bench.stop());

  /** By hand: `fetch` sets neither `Host` nor `Origin`. */
  function ask(path: string, headers: Record<string, string>): Promise<number> {
    const { port } = new URL(bench.sandbox.url);
    return new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port, path, headers, method: path === '/inbound' ? 'POST' : 'GET' })
        .on('response', (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        })
        .on('error', reject)
        .end();
    });
  }

  const askAll = (headers: Record<string, string>) => Promise.all(PATHS.map((path) => ask(path, headers)));
  const REFUSED = [401, 401, 401];
  /** The last one has no body. */
  const ALLOWED = [200, 200, 400];

  describe('on loopback', () => {
    beforeEach(async () => {
      bench = await Bench.start();
    });

    it('is open to programs of this machine', async () => {
      for (const host of ['127.0.0.1', '127.0.0.1:4010', 'localhost:4010', '[::1]:4010', 'LOCALHOST']) {
        expect([host, ...(await askAll({ host }))]).toEqual([host, ...ALLOWED]);
      }
      expect((await fetch(`${bench.sandbox.url}/journal`)).status).toBe(200);
    });

    it('is closed to a foreign name that resolves to this machine', async () => {
      for (const host of [
        'attacker.example.com',
        'localhost.example.com',
        '127.0.0.1.example.com',
        '10.0.0.1',
      ]) {
        expect([host, ...(await askAll({ host }))]).toEqual([host, ...REFUSED]);
      }
    });

    it('is closed to pages in a browser', async () => {
      expect(await askAll({ origin: 'https://attacker.example.com' })).toEqual(REFUSED);
      expect(await askAll({ origin: 'null' })).toEqual(REFUSED);
      expect(await askAll({ 'sec-fetch-site': 'cross-site' })).toEqual(REFUSED);
      expect(await askAll({ 'sec-fetch-site': 'none' })).toEqual(ALLOWED);
    });

    it('refuses wrong credentials', async () => {
      expect(await askAll({ authorization: 'Bearer wrong' })).toEqual(REFUSED);
    });
  });

  describe('on every address', () => {
    beforeEach(async () => {
      bench = await Bench.start({ host: '0.0.0.0' });
    });

    it('requires the credentials of carrier or model, except for its health', async () => {
      expect(await askAll({})).toEqual(REFUSED);
      expect(await askAll({ host: '127.0.0.1' })).toEqual(REFUSED);
      expect(await askAll({ authorization: BASIC })).toEqual(ALLOWED);
      expect(await askAll({ authorization: `Bearer ${SANDBOX_API_KEY}` })).toEqual(ALLOWED);
      expect(await ask('/health', {})).toBe(200);
    });
  });
});
