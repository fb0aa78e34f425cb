import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { Client } from '../support/client.js';
import { databaseUrl } from '../support/database.js';
import { redisOfTheService } from '../support/redis.js';
import { startService, type ServiceProcess } from '../support/service.js';
import { until } from '../support/until.js';

const dataDir = mkdtempSync(join(tmpdir(), 'calls-processes-'));
const redisUrl = redisOfTheService();
const env = { DATABASE_URL: databaseUrl(), DATA_DIR: dataDir, ROLE: 'api', WEB_CONCURRENCY: '2' };
let service: ServiceProcess;
let user: TestAccount;

const workers = (): number[] =>
  execFileSync('ps', ['-o', 'pid=', '--ppid', String(service.process.pid)], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => (line.trim() ? [Number(line)] : []));
/** On a connection of its own, so that it may come to any process. */
const me = async (): Promise<number> => {
  const answer = await fetch(`${service.url}/api/user/me`, {
    headers: { authorization: `Bearer ${user.token}`, connection: 'close' },
  });
  await answer.body?.cancel();
  return answer.status;
};
const counted = async (): Promise<number> => {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(
    /^http_request_duration_seconds_count\{.*route="\/api\/user\/me".*\} (\d+)$/m.exec(text)?.[1] ?? 0,
  );
};
const answersWithBoth = (times: number): Promise<unknown> =>
  until(async () => service.output().split('Ready: ').length - 1 === times);

beforeAll(async () => {
  user = await anAccount();
  if (!redisUrl) return;
  service = await startService({ ...env, DOCS_ENABLED: 'false', REDIS_URL: redisUrl });
  await answersWithBoth(2);
});
afterAll(async () => {
  await service?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

it('needs Redis, and says so', async () => {
  const start = startService({ ...env, EMBEDDED_REDIS: 'false' });
  await expect(start).rejects.toThrow('WEB_CONCURRENCY above 1 needs Redis, set REDIS_URL');
});

it('answers with two processes, counts them together, and replaces one that is killed', async () => {
  if (!redisUrl) return;
  const before = workers();
  expect(before).toHaveLength(2);
  const statuses = await Promise.all(Array.from({ length: 40 }, me));
  expect(new Set(statuses)).toEqual(new Set([200]));
  // Whichever process is asked tells of all requests.
  expect([await counted(), await counted(), await counted()]).toEqual([40, 40, 40]);
  const [killed = 0] = before;
  process.kill(killed, 'SIGKILL');
  await answersWithBoth(3);
  expect(workers()).toHaveLength(2);
  expect(workers()).not.toContain(killed);
  expect(await me()).toBe(200);
});

it('ends with all its processes on SIGTERM', async () => {
  if (!redisUrl) return;
  const before = workers();
  service.process.kill('SIGTERM');
  expect(await service.exited).toBe(0);
  for (const pid of before) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  await expect(new Client(user.token, `${service.url}/api`).get('/user/me')).rejects.toThrow('fetch failed');
});
