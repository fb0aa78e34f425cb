import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anAccount, type TestAccount } from '../factories/account.js';
import { Client } from '../support/client.js';
import { databaseUrl } from '../support/database.js';
import { startService, type ServiceProcess } from '../support/service.js';

const LIMIT = 5;

/** Processes beside the service of the other specs, on its database and, where it has one, its Redis. */
describe('the rate limit', () => {
  let services: ServiceProcess[];
  let dataDir: string;
  let turn = 0;
  let user: TestAccount;
  let other: TestAccount;
  /** Without a Redis to count together, each process would count for itself: then there is one. */
  const redisUrl = redisOfTheService();
  const next = () => services[turn++ % services.length]?.url ?? '';
  const as = ({ token }: { token: string | null }) => new Client(token, `${next()}/api`);

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'calls-limit-'));
    const start = () =>
      startService({
        DATABASE_URL: databaseUrl(),
        DATA_DIR: dataDir,
        ROLE: 'api',
        RATE_LIMIT_PER_MINUTE: String(LIMIT),
        ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
      });
    services = await Promise.all(redisUrl ? [start(), start()] : [start()]);
    [user, other] = await Promise.all([anAccount(), anAccount()]);
  }, 60_000);

  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('counts requests per token and refuses above the limit', async () => {
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

  it('does not count other tokens and public routes', async () => {
    const answer = await as(other).get('/user/me');
    expect([answer.status, answer.headers.get('x-ratelimit-remaining')]).toEqual([200, String(LIMIT - 1)]);
    const none = await as({ token: null }).get('/user/me');
    expect([none.status, none.headers.get('x-ratelimit-limit')]).toEqual([401, null]);
    const health = await fetch(`${next()}/health/live`);
    expect([health.status, health.headers.get('x-ratelimit-limit')]).toEqual([200, null]);
  });
});

function redisOfTheService(): string | null {
  const record = join(process.env.E2E_DATA_DIR ?? '', 'redis.json');
  if (process.env.E2E_REDIS_URL || !existsSync(record)) return process.env.E2E_REDIS_URL ?? null;
  return (JSON.parse(readFileSync(record, 'utf8')) as { url: string }).url;
}
