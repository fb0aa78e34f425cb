import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { partialFake } from '#src/common/partial.fake.js';
import { CarrierBreakerService } from '#src/modules/telephony/carrier-breaker.service.js';
import type { TelephonySettings } from '#src/modules/telephony/telephony-settings.js';
import { databaseUrl } from '../support/database.js';

const db = new DataSource({ type: 'postgres', url: databaseUrl() });
let sid: string;
let breaker: CarrierBreakerService;

/** That of another process, or of another account at the carrier. */
const another = (accountSid = sid) =>
  new CarrierBreakerService(db, partialFake<TelephonySettings>({ accountSid }));

beforeAll(() => db.initialize());
afterAll(() => db.destroy());
beforeEach(() => {
  sid = `AC${randomBytes(16).toString('hex')}`;
  breaker = another();
});

const fail = async (times = 5) => {
  for (let count = 0; count < times; count++) await breaker.recordFailure(null);
};
const admit = (by = breaker) => db.transaction((tx) => by.admitCall(tx));
/** Until the next probe; null: the carrier works. */
const seconds = async (): Promise<number | null> => {
  const rows: { seconds: number }[] = await db.query(
    'SELECT extract(epoch FROM probe_at - now())::float AS seconds FROM carrier_breakers WHERE account_sid = $1',
    [sid],
  );
  return rows[0]?.seconds ?? null;
};
/** By the database's clock. */
const clock = async (): Promise<Date> => {
  const rows: { at: Date }[] = await db.query('SELECT clock_timestamp() AS at');
  return rows[0]?.at ?? new Date(0);
};
/** The next probe is due so many seconds after `work`, whose own time is all that is not known. */
const expectPause = async (of: number, work: () => Promise<unknown>) => {
  const before = await clock();
  await work();
  const after = await clock();
  const rows: { at: Date }[] = await db.query(
    'SELECT probe_at AS at FROM carrier_breakers WHERE account_sid = $1',
    [sid],
  );
  const at = rows[0]?.at.getTime() ?? 0;
  expect(at).toBeGreaterThanOrEqual(before.getTime() + of * 1_000);
  // Dates have whole milliseconds.
  expect(at).toBeLessThanOrEqual(after.getTime() + of * 1_000 + 1);
};
const passTime = () => db.query('UPDATE carrier_breakers SET probe_at = now() WHERE account_sid = $1', [sid]);

it('is closed until half of at least five requests failed', async () => {
  await fail(4);
  expect([await breaker.isFailing(), await admit()]).toEqual([false, 'free']);
  await fail(1);
  expect([await breaker.isFailing(), (await breaker.waitMs()) > 0, await admit()]).toEqual([
    true,
    true,
    'refused',
  ]);
});

it('stays closed while more than half of the requests succeed', async () => {
  for (let count = 0; count < 6; count++) await breaker.recordSuccess();
  await fail(5);
  expect(await admit()).toBe('free');
  await fail(1);
  expect(await admit()).toBe('refused');
});

it('opens when a call can neither be placed nor looked up, unless the carrier accepts one in between', async () => {
  const requestedAt = new Date();
  await fail(1);
  await breaker.recordSuccess();
  await breaker.recordUnreachable(requestedAt);
  expect(await admit()).toBe('free');
  await expectPause(5, () => breaker.recordUnreachable(new Date(Date.now() + 1)));
  expect(await admit()).toBe('refused');
});

it('does not delay its probe because calls cannot be looked up', async () => {
  await fail();
  await passTime();
  await breaker.recordUnreachable(new Date());
  expect(await admit()).toBe('probe');
});

it('admits one call after 5 s, and after 10, 20, 30 and 30 s more', async () => {
  await expectPause(5, fail);
  for (const pause of [10, 20, 30, 30]) {
    await passTime();
    expect([await breaker.isFailing(), await breaker.waitMs()]).toEqual([true, 0]);
    await expectPause(pause, async () => {
      const admissions = await Promise.all([admit(), admit(another()), admit(another())]);
      expect(admissions.sort()).toEqual(['probe', 'refused', 'refused']);
      await fail(1);
    });
  }
});

it('assigns a probe that places no call to the next campaign, without a longer pause', async () => {
  await fail();
  await passTime();
  await db.transaction(async (tx) => {
    expect(await breaker.admitCall(tx)).toBe('probe');
    await breaker.returnProbe(tx);
  });
  await expectPause(10, async () => expect(await admit()).toBe('probe'));
});

it('obeys a Retry-After after a single refusal, for at most 60 s', async () => {
  await expectPause(12, async () => {
    await breaker.recordFailure(12_000);
    await breaker.recordFailure(2_000);
  });
  await expectPause(60, () => breaker.recordFailure(86_400_000));
});

it('waits 5 s where Retry-After is shorter', async () => {
  await expectPause(5, () => breaker.recordFailure(0));
});

it('ends with the first call that the carrier accepts, and earlier failures do not count', async () => {
  await fail();
  await passTime();
  await admit();
  await breaker.recordSuccess();
  expect([await seconds(), await admit()]).toEqual([null, 'free']);
  await fail(4);
  expect(await admit()).toBe('free');
});

it('holds for all processes, and ends in each of them', async () => {
  await fail();
  const other = another();
  expect(await admit(other)).toBe('refused');
  await other.recordSuccess();
  expect([await admit(), await admit(other)]).toEqual(['free', 'free']);
});

it('does not concern another account at the carrier', async () => {
  await fail();
  expect(await admit(another(`AC${randomBytes(16).toString('hex')}`))).toBe('free');
});
