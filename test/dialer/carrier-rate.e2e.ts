import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { partialFake } from '#src/common/partial.fake.js';
import type { RuntimeSettings } from '#src/config/runtime-settings.js';
import { CarrierRateService } from '#src/modules/telephony/carrier-rate.service.js';
import type { TelephonySettings } from '#src/modules/telephony/telephony-settings.js';
import { databaseUrl } from '../support/database.js';

const db = new DataSource({ type: 'postgres', url: databaseUrl() });
let accountSid: string;

/** Of a process that has the operator's setting, with the sandbox or a real carrier. */
const aRate = (carrierCallsPerSecond: number | null, isSandbox = false) =>
  new CarrierRateService(
    db,
    partialFake<TelephonySettings>({ accountSid }),
    partialFake<RuntimeSettings>({
      carrier: (isSandbox ? null : { accountSid }) as RuntimeSettings['carrier'],
      calls: partialFake<RuntimeSettings['calls']>({ carrierCallsPerSecond }),
    }),
  );
const reserve = (rate: CarrierRateService) => rate.reserve(db.manager);
/** Ends the wait of all calls that are placed or reserved so far, but for `ms`. */
const passTime = (ms = 0) =>
  db.query(
    `UPDATE carrier_rates SET next_at = clock_timestamp() + make_interval(secs => $2) WHERE account_sid = $1`,
    [accountSid, ms / 1000],
  );

/** Milliseconds from the database's time to that from which the next call may be placed. */
const leftMs = async (): Promise<number> => {
  const rows: { ms: number }[] = await db.query(
    'SELECT extract(epoch FROM next_at - clock_timestamp())::float * 1000 AS ms FROM carrier_rates WHERE account_sid = $1',
    [accountSid],
  );
  return rows[0]?.ms ?? 0;
};
/** A time that is over before no machine has come to the next statement. */
const LONG_MS = 600_000;

beforeAll(() => db.initialize());
afterAll(() => db.destroy());
beforeEach(() => {
  accountSid = `AC${randomBytes(16).toString('hex')}`;
});

it('is one call per second, unless the operator sets another one, and unlimited in the sandbox', () => {
  expect([aRate(null), aRate(7), aRate(null, true), aRate(7, true)].map((rate) => rate.perSecond)).toEqual([
    1,
    7,
    null,
    7,
  ]);
});

it('lets calls by request wait for at most 2 s, and refuses them after that', async () => {
  const rate = aRate(1);
  expect(await reserve(rate)).toEqual({ inMs: 0 });
  await passTime(1_900);
  const reserved = await reserve(rate);
  expect(reserved).not.toBe('late');
  const { inMs } = reserved as { inMs: number };
  expect(inMs).toBeLessThanOrEqual(1_900);
  // A second after the one that was reserved.
  expect(inMs).toBeGreaterThanOrEqual(Math.floor(await leftMs()) - 1_000);
  // Nothing is reserved by a request that is refused.
  await passTime(LONG_MS);
  expect([await reserve(rate), await reserve(rate)]).toEqual(['late', 'late']);
  expect(await leftMs()).toBeLessThanOrEqual(LONG_MS);
  await passTime(1_000);
  expect(await reserve(rate)).not.toBe('late');
});

it('is shared by all processes, and prefers calls by request to those of campaigns', async () => {
  const [one, other] = [aRate(2), aRate(2)];
  await reserve(one);
  await passTime(LONG_MS);
  expect(await one.takeCalls(db.manager, 1)).toBe(0);
  expect(await other.waitMs()).toBeGreaterThan(0);
  await passTime();
  expect(await other.waitMs()).toBe(0);
  const before = Date.now();
  expect(await other.takeCalls(db.manager, 25)).toBe(2);
  // Both have the second that these two calls take.
  expect((await leftMs()) + Date.now() - before).toBeGreaterThanOrEqual(999);
  expect(await one.waitMs()).toBeLessThanOrEqual(1_000);
});

it('assigns campaigns the calls of one second at once, and returns those they do not place', async () => {
  const rate = aRate(10);
  expect(await rate.takeCalls(db.manager, 4)).toBe(4);
  expect(await rate.waitMs()).toBeLessThanOrEqual(400);
  await passTime();
  await rate.takeCalls(db.manager, 10);
  await rate.returnCalls(db.manager, 10);
  expect(await rate.takeCalls(db.manager, 3)).toBe(3);
});

it('has no row and no wait where it is not limited', async () => {
  const rate = aRate(null, true);
  expect([await rate.takeCalls(db.manager, 500), await reserve(rate), await rate.waitMs()]).toEqual([
    500,
    { inMs: 0 },
    0,
  ]);
  expect(await db.query('SELECT 1 FROM carrier_rates WHERE account_sid = $1', [accountSid])).toEqual([]);
});
