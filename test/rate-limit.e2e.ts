import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anAccount, type TestAccount } from './factories/account.js';
import { Client } from './support/client.js';
import { databaseUrl } from './support/database.js';
import { startService, type ServiceProcess } from './support/service.js';

const LIMIT = 5;

/** A service of its own beside the one of the other specs, on the same database. */
describe('the rate limit', () => {
  let service: ServiceProcess;
  let dataDir: string;
  let user: TestAccount;
  let other: TestAccount;
  const as = ({ token }: { token: string | null }) => new Client(token, `${service.url}/api`);

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'calls-limit-'));
    const [started, ...accounts] = await Promise.all([
      startService({
        DATABASE_URL: databaseUrl(),
        DATA_DIR: dataDir,
        ROLE: 'api',
        RATE_LIMIT_PER_MINUTE: String(LIMIT),
        ...(process.env.E2E_REDIS_URL ? { REDIS_URL: process.env.E2E_REDIS_URL } : {}),
      }),
      anAccount(),
      anAccount(),
    ]);
    service = started;
    [user, other] = accounts;
  }, 60_000);

  afterAll(async () => {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('counts down for each token and refuses past the limit', async () => {
    const numbersOf = ({ headers }: { headers: Headers }) =>
      ['limit', 'remaining'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));
    for (let count = 1; count <= LIMIT; count++) {
      const answer = await as(user).get('/user/me');
      expect([answer.status, ...numbersOf(answer)]).toEqual([200, LIMIT, LIMIT - count]);
    }
    const refused = await as(user).get('/user/me');
    expect([refused.status, ...numbersOf(refused)]).toEqual([429, LIMIT, 0]);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(60);
    expect(refused.body).toEqual({
      message: 'Too many requests. Please try again later.',
      retry_after: wait,
    });
    const reset = Number(refused.headers.get('x-ratelimit-reset'));
    expect(Math.abs(reset - (Date.now() / 1000 + wait))).toBeLessThan(2);
    expect((await as(user).post('/user/tools', {})).status).toBe(429);
  });

  it('leaves other tokens and open routes alone', async () => {
    const answer = await as(other).get('/user/me');
    expect([answer.status, answer.headers.get('x-ratelimit-remaining')]).toEqual([200, String(LIMIT - 1)]);
    const none = await as({ token: null }).get('/user/me');
    expect([none.status, none.headers.get('x-ratelimit-limit')]).toEqual([401, null]);
    const health = await fetch(`${service.url}/health/live`);
    expect([health.status, health.headers.get('x-ratelimit-limit')]).toEqual([200, null]);
  });
});
