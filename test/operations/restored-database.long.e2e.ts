import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { runBuilt } from '../support/command.js';
import { database } from '../support/database.js';
import { OwnService } from '../support/own-service.js';
import { redisOfTheService } from '../support/redis.js';
import { startService, WITHOUT_DOCS } from '../support/service.js';
import { until } from '../support/until.js';

let own: OwnService;
beforeEach(async () => {
  own = await OwnService.start();
});
afterEach(() => own.stop());

const statusOf = async (url: string): Promise<string> =>
  ((await (await fetch(`${url}/health/ready`)).json()) as { status: string }).status;

const isRestored = () => until(async () => (await statusOf(own.service.url)) === 'restored');

it('is noticed after a copy of the database was put elsewhere, and not where it was', async () => {
  const name = `copy_${randomBytes(6).toString('hex')}`;
  await own.service.kill();
  const { pathname } = new URL(own.url);
  await until(async () => {
    const { rowCount } = await database().query(
      'SELECT 1 FROM pg_stat_activity WHERE datname = $1 AND pid <> 0',
      [pathname.slice(1)],
    );
    return rowCount === 0;
  });
  await database().query(`CREATE DATABASE ${name} TEMPLATE ${pathname.slice(1)}`);
  const url = Object.assign(new URL(own.url), { pathname: `/${name}` }).href;
  const copy = await startService({ DATABASE_URL: url, EMBEDDED_REDIS: 'false', ...WITHOUT_DOCS });
  try {
    expect(await statusOf(copy.url)).toBe('restored');
  } finally {
    await copy.stop();
  }
  await own.restart();
  expect(await statusOf(own.service.url)).toBe('ok');
});

it('is noticed by a running service whose database is older than before', async () => {
  // After its first entry in the row.
  await until(
    async () => (await own.db.query('SELECT 1 FROM installation WHERE seen_at IS NOT NULL')).rowCount === 1,
  );
  await own.restart();
  await own.db.query(`UPDATE installation SET seen_at = seen_at - interval '10 minutes'`);
  await isRestored();
  const { rows } = await own.db.query<{ minutes: number }>(
    'SELECT round(extract(epoch FROM restored_at - restored_to) / 60)::int AS minutes FROM installation',
  );
  expect(rows).toEqual([{ minutes: 10 }]);
});

it('is noticed at a start when the Redis of the queue has seen a newer one', async () => {
  const url = redisOfTheService();
  if (url === null) return;
  await own.restart({ REDIS_URL: url });
  const { rows } = await own.db.query<{ id: string }>('SELECT id FROM installation');
  const redis = new Redis(url);
  await until(() => redis.get(`calls:${rows[0]?.id}:seen`)).finally(() => redis.disconnect());
  await own.service.kill();
  await own.db.query(`UPDATE installation SET seen_at = seen_at - interval '30 seconds'`);
  await own.restart();
  expect(await statusOf(own.service.url)).toBe('ok');
  await own.service.kill();
  await own.db.query(`UPDATE installation SET seen_at = seen_at - interval '10 minutes'`);
  await own.restart();
  expect(await statusOf(own.service.url)).toBe('restored');
});

it('is said by an operator, and is not noticed after an upgrade', async () => {
  const settings = { DATABASE_URL: own.url };
  await own.service.kill();
  expect(await runBuilt('main.js', ['migrate', '--undo'], settings)).toMatchObject({ code: 0 });
  await own.restart();
  expect(await statusOf(own.service.url)).toBe('ok');
  expect(
    await runBuilt('main.js', ['restore', 'mark', '--to', '2026-01-31T12:00:00Z'], settings),
  ).toMatchObject({
    code: 0,
    output: expect.stringContaining('2026-01-31'),
  });
  await isRestored();
  const { problem } = await runBuilt('main.js', ['backup'], settings);
  expect(problem).toContain('DATABASE_URL');
  expect(
    await runBuilt('main.js', ['restore', 'confirm', '--yes', '--without-carrier'], settings),
  ).toMatchObject({ code: 0, output: expect.stringContaining('Released') });
  await until(async () => (await statusOf(own.service.url)) === 'ok');
});
