import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { toErrorResponse } from '#src/http/errors/error-response.js';
import { LeasedRows, type Lease } from '#src/common/persistence/leased-rows.js';
import { databaseUrl } from '../support/database.js';

/** In a schema of its own: `schema.e2e.ts` lists the tables of the other one. */
const SCHEMA = `leased_rows_${process.pid}`;
const TABLE = `${SCHEMA}.leased_rows`;
const SECONDS = 60;

interface Row extends Lease {
  note: string;
}

describe('rows under a lease', () => {
  const db = new DataSource({ type: 'postgres', url: databaseUrl() });
  const rows = new LeasedRows<Row>(db, {
    table: TABLE,
    due: 'due_at',
    waiting: `state = 'pending'`,
    partyIs: 'party.account_id <> ALL($3)',
    seconds: SECONDS,
    counter: 'claims',
    returning: 'note',
  });
  const ids = (claimed: Row[]): number[] => claimed.map(({ id }) => Number(id)).sort((a, b) => a - b);
  const claimOne = async (id: number): Promise<Row> => {
    const [row] = await rows.claim([id]);
    if (!row) throw new Error(`row ${id} is not due`);
    return row;
  };
  const expire = (id: number) => db.query(`UPDATE ${TABLE} SET due_at = now() WHERE id = $1`, [id]);
  /** Database time in seconds since the epoch. */
  const databaseTime = async (): Promise<number> =>
    (await db.query<{ at: number }[]>('SELECT extract(epoch FROM clock_timestamp())::float AS at'))[0]?.at ??
    0;
  /** `due`: in seconds since the epoch. */
  const stateOf = async (id: number): Promise<{ claims: number; note: string; due: number }> => {
    const [row] = await db.query(
      `SELECT claims, note, extract(epoch FROM due_at)::float AS due FROM ${TABLE} WHERE id = $1`,
      [id],
    );
    return row;
  };
  /** The row is due `seconds` after a moment between `from` and now. */
  const expectDue = async (id: number, seconds: number, from: number): Promise<void> => {
    const { due } = await stateOf(id);
    expect(due).toBeGreaterThanOrEqual(from + seconds);
    expect(due).toBeLessThanOrEqual((await databaseTime()) + seconds);
  };

  beforeAll(async () => {
    await db.initialize();
    await db.query(`CREATE SCHEMA ${SCHEMA}`);
    await db.query(`
      CREATE TABLE ${TABLE} (id int PRIMARY KEY, account_id int NOT NULL, state text NOT NULL DEFAULT 'pending',
        due_at timestamptz NOT NULL DEFAULT now(), claims int NOT NULL DEFAULT 0, note text NOT NULL DEFAULT 'new')`);
  });
  afterAll(async () => {
    await db.query(`DROP SCHEMA ${SCHEMA} CASCADE`);
    await db.destroy();
  });
  beforeEach(async () => {
    await db.query(`TRUNCATE ${TABLE}`);
    await db.query(`INSERT INTO ${TABLE} (id, account_id) VALUES (1, 1), (2, 1), (3, 1), (4, 2)`);
    await db.query(`INSERT INTO ${TABLE} (id, account_id, due_at) VALUES (5, 1, now() + interval '1 hour')`);
    await db.query(`INSERT INTO ${TABLE} (id, account_id, state) VALUES (6, 1, 'done')`);
  });

  it('assigns each due row to one of many claimers, with its columns and the end of the lease', async () => {
    const before = performance.now();
    const earliest = await databaseTime();
    const claimed = await Promise.all(Array.from({ length: 8 }, () => rows.claim([1, 2, 5, 6, 99])));
    const after = performance.now();
    expect(ids(claimed.flat())).toEqual([1, 2]);
    for (const row of claimed.flat()) {
      expect(row).toMatchObject({ claim: 1, note: 'new' });
      expect(row.leasedUntil).toBeGreaterThanOrEqual(before + SECONDS * 1000);
      expect(row.leasedUntil).toBeLessThanOrEqual(after + SECONDS * 1000);
    }
    expect(await stateOf(1)).toEqual({ claims: 1, note: 'new', due: expect.any(Number) });
    await expectDue(1, SECONDS, earliest);
    expect(await rows.read(10, [[]])).toMatchObject([{ id: 3 }, { id: 4 }]);
  });

  it('claims round robin by account, without excluded and locked rows', async () => {
    expect(ids(await rows.claimNext(2, 10, [[]]))).toEqual([1, 4]);
    await db.transaction(async (tx) => {
      await tx.query(`SELECT 1 FROM ${TABLE} WHERE id = 2 FOR UPDATE`);
      expect(ids(await rows.claimNext(10, 10, [[2]]))).toEqual([3]);
    });
    expect(ids(await rows.claimNext(10, 10, [[1]]))).toEqual([]);
    expect(ids(await rows.claimNext(10, 10, [[]]))).toEqual([2]);
  });

  it('renews and ends the lease of the latest claim', async () => {
    const row = await claimOne(1);
    await expire(1);
    const renewedAt = await databaseTime();
    await rows.renew([row]);
    expect(await stateOf(1)).toMatchObject({ claims: 1, note: 'new' });
    await expectDue(1, SECONDS, renewedAt);
    const releasedAt = await databaseTime();
    await rows.release(row, 5, { note: 'tried' });
    expect(await stateOf(1)).toMatchObject({ claims: 1, note: 'tried' });
    await expectDue(1, 5, releasedAt);
  });

  it('does not change a row that another process has claimed since, or that is done', async () => {
    const stale = await claimOne(1);
    await expire(1);
    const latest = await claimOne(1);
    expect(latest.claim).toBe(2);
    await db.query(`UPDATE ${TABLE} SET due_at = now() + interval '7 seconds'`);
    const { due } = await stateOf(1);
    await rows.renew([stale]);
    await rows.release(stale, 0, { note: 'stale' });
    expect(await stateOf(1)).toEqual({ claims: 2, note: 'new', due });
    await db.query(`UPDATE ${TABLE} SET state = 'done'`);
    await rows.renew([latest]);
    await rows.release(latest, 0, { note: 'late' });
    expect(await stateOf(1)).toEqual({ claims: 2, note: 'new', due });
  });

  it('responds with 503 and Retry-After to the request that loses a deadlock', async () => {
    const runners = [db.createQueryRunner(), db.createQueryRunner()] as const;
    const [one, other] = runners;
    for (const runner of runners) await runner.startTransaction();
    const lock = `SELECT 1 FROM ${TABLE} WHERE id = $1 FOR UPDATE`;
    await one.query(lock, [1]);
    await other.query(lock, [2]);
    const results = await Promise.allSettled([one.query(lock, [2]), other.query(lock, [1])]);
    for (const runner of runners) {
      await runner.rollbackTransaction();
      await runner.release();
    }
    const lost = results.filter((result) => result.status === 'rejected');
    expect(lost.map(({ reason }) => toErrorResponse(reason))).toEqual([
      {
        status: 503,
        body: { message: 'Service temporarily unavailable' },
        headers: { 'Retry-After': '5' },
        unexpected: false,
      },
    ]);
  });
});
