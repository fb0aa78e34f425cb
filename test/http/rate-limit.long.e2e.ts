import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anApiKey } from '../factories/api-key.js';
import { Client } from '../support/client.js';
import { databaseOfTheService } from '../support/secrets.js';
import { headOf, sendRaw } from '../support/raw-http.js';
import { redisOfTheService } from '../support/redis.js';
import { until } from '../support/until.js';
import { startService, type ServiceProcess } from '../support/service.js';

const LIMIT = 5;
const ORIGIN = 'https://app.example.com';

/**
 * A process beside the service of the other specs, on its database and, where it has one, its Redis. Two processes:
 * rate-limit-processes.long.e2e.ts.
 */
describe('a service with a limit of requests, CORS_ORIGINS and without documentation', () => {
  let service: ServiceProcess;
  let dataDir: string;
  let user: TestAccount;
  let other: TestAccount;
  const redisUrl = redisOfTheService();
  const as = ({ token }: { token: string | null }) => new Client(token, `${service.url}/api`);

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'calls-limit-'));
    service = await startService({
      ...databaseOfTheService(),
      DATA_DIR: dataDir,
      ROLE: 'api',
      RATE_LIMIT_PER_MINUTE: String(LIMIT),
      CORS_ORIGINS: ORIGIN,
      DOCS_ENABLED: 'false',
      ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
    });
    [user, other] = await Promise.all([anAccount(), anAccount()]);
    // A start does not wait for its Redis for long, and until it answers nothing is counted.
    const warm = await anAccount();
    await until(async () => (await as(warm).get('/user/me')).headers.has('x-ratelimit-limit'));
  });

  afterAll(async () => {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('counts requests per token and refuses above the limit', async () => {
    const numbersOf = ({ headers }: { headers: Headers }) =>
      ['limit', 'remaining'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));
    for (let count = 1; count <= LIMIT; count++) {
      const answer = await as(user).get('/user/me');
      expect([answer.status, ...numbersOf(answer)]).toEqual([200, LIMIT, LIMIT - count]);
    }
    const before = Date.now() / 1_000;
    const refused = await as(user).get('/user/me');
    const after = Date.now() / 1_000;
    expect([refused.status, ...numbersOf(refused)]).toEqual([429, LIMIT, 0]);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(60);
    expect(refused.body).toEqual({
      message: 'Too many requests. Please try again later.',
      retry_after: wait,
    });
    const reset = Number(refused.headers.get('x-ratelimit-reset'));
    // Both are whole seconds.
    expect(reset - wait).toBeGreaterThan(before - 2);
    expect(reset - wait).toBeLessThan(after + 2);
    expect((await as(user).post('/user/tools', {})).status).toBe(429);
  });

  it('counts all tokens of an account together', async () => {
    const account = await anAccount();
    const keys = await Promise.all([anApiKey(account), anApiKey(account, { scopes: ['read'] })]);
    const remaining: (string | null)[] = [];
    for (const { token } of [account, ...keys, ...keys])
      remaining.push((await as({ token }).get('/user/me')).headers.get('x-ratelimit-remaining'));
    expect(remaining).toEqual(['4', '3', '2', '1', '0']);
    for (const { token } of [account, ...keys]) {
      const { status, headers } = await as({ token }).get('/user/me');
      expect([status, headers.get('x-ratelimit-remaining')]).toEqual([429, '0']);
    }
  });

  it('does not count other accounts and public routes', async () => {
    const answer = await as(other).get('/user/me');
    expect([answer.status, answer.headers.get('x-ratelimit-remaining')]).toEqual([200, String(LIMIT - 1)]);
    const none = await as({ token: null }).get('/user/me');
    expect([none.status, none.headers.get('x-ratelimit-limit')]).toEqual([401, null]);
    const unknown = await as({ token: 'vac_random' }).get('/user/me');
    expect([unknown.status, unknown.headers.get('x-ratelimit-limit')]).toEqual([401, null]);
    const health = await fetch(`${service.url}/health/live`);
    expect([health.status, health.headers.get('x-ratelimit-limit')]).toEqual([200, null]);
  });

  it('limits requests however their path is written', async () => {
    const limited = await anAccount();
    const token = { Authorization: `Bearer ${limited.token}` };
    const lines = [
      'GET /api/us%65r/me',
      'GET http://localhost/api/user/me',
      'GET /api/user/me/',
      'GET /api/us%65r/me',
    ];
    const statuses: number[] = [];
    for (const line of [...lines, ...lines])
      statuses.push((await sendRaw(headOf(line, token), service.url)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
  });

  it('allows all methods and headers for CORS_ORIGINS', async () => {
    const ask = (origin: string) =>
      fetch(`${service.url}/api/user/me`, {
        method: 'OPTIONS',
        headers: { Origin: origin, 'Access-Control-Request-Method': 'DELETE' },
      });
    const { status, headers } = await ask(ORIGIN);
    const listed = (name: string) => headers.get(`access-control-${name}`)?.toLowerCase().split(', ');
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, ORIGIN]);
    expect(listed('allow-methods')).toEqual(['get', 'head', 'post', 'put', 'delete', 'options']);
    expect(listed('allow-headers')).toEqual(['authorization', 'content-type', 'idempotency-key']);
    expect((await ask('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
    const answer = await fetch(`${service.url}/api/user/me`, { headers: { Origin: ORIGIN } });
    expect(answer.headers.get('access-control-expose-headers')?.toLowerCase().split(', ')).toEqual([
      'idempotent-replayed',
      'x-ignored-fields',
      'retry-after',
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
      'x-request-id',
    ]);
  });

  it('serves no documentation when it is disabled', async () => {
    for (const path of ['/docs', '/docs-json', '/docs-yaml', '/docs/swagger-ui.css']) {
      const answer = await fetch(service.url + path);
      expect([path, answer.status, await answer.json()]).toEqual([path, 404, { message: 'Not Found' }]);
    }
    expect((await new Client(null, `${service.url}/api`).get('/user/me')).status).toBe(401);
  });
});
