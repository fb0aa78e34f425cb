import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anAccount } from '../factories/account.js';
import { Client } from '../support/client.js';
import { databaseOfTheService } from '../support/secrets.js';
import { redisOfTheService } from '../support/redis.js';
import { startService, WITHOUT_DOCS, type ServiceProcess } from '../support/service.js';
import { until } from '../support/until.js';

const LIMIT = 5;
const redisUrl = redisOfTheService();

let services: ServiceProcess[];
let dataDir: string;

/** Beside the service of the other specs, on its database and its Redis. */
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'calls-limit-'));
  const start = () =>
    startService({
      ...databaseOfTheService(),
      DATA_DIR: dataDir,
      ROLE: 'api',
      RATE_LIMIT_PER_MINUTE: String(LIMIT),
      ...WITHOUT_DOCS,
      ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
    });
  services = await Promise.all([start(), start()]);
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  rmSync(dataDir, { recursive: true, force: true });
});

// Without a Redis each process counts for itself.
(redisUrl ? it : it.skip)('processes count the requests of a token together', async () => {
  const clientsOf = ({ token }: { token: string }) =>
    services.map(({ url }) => new Client(token, `${url}/api`));
  // A start does not wait for its Redis for long, and until it answers nothing is counted.
  for (const client of clientsOf(await anAccount()))
    await until(async () => (await client.get('/user/me')).headers.has('x-ratelimit-limit'));
  const clients = clientsOf(await anAccount());
  const remaining: (string | null)[] = [];
  for (let count = 0; count < LIMIT; count++) {
    const answer = await clients[count % clients.length]?.get('/user/me');
    remaining.push(answer?.headers.get('x-ratelimit-remaining') ?? null);
  }
  expect(remaining).toEqual(['4', '3', '2', '1', '0']);
  for (const client of clients) expect((await client.get('/user/me')).status).toBe(429);
});
