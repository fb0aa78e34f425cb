import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { ADVISORY_LOCKS } from '#src/common/persistence/locks.js';
import { CallCountersService } from '#src/modules/calls/call-counters.service.js';
import { anAccount, type TestAccount } from '../factories/account.js';
import { database, databaseUrl } from '../support/database.js';
import { until } from '../support/until.js';

interface Tally {
  id: string;
  status: string;
  n: number;
  is_sum: boolean;
}

describe('the counters of calls', () => {
  const db = new DataSource({ type: 'postgres', url: databaseUrl() });
  const service = new CallCountersService(db, {} as never, {} as never);
  let user: TestAccount;

  beforeAll(async () => {
    [user] = await Promise.all([anAccount(), db.initialize()]);
  });
  afterAll(() => db.destroy());

  const aCall = (status: string) =>
    database().query(
      `INSERT INTO calls (account_id, assistant_id, assistant_name, type, status, token, assistant_phone_number,
         client_phone_number, variables, price_per_minute_micros, max_duration)
       VALUES ($1, 1, 'Ada', 'outbound', $2, gen_random_uuid()::text, '+15005550021', '+15005550020', '{}', 0, 600)`,
      [user.id, status],
    );
  const tallies = async (): Promise<Tally[]> => {
    const { rows } = await database().query<Tally>(
      'SELECT id, status, n, is_sum FROM call_tallies WHERE account_id = $1 ORDER BY status',
      [user.id],
    );
    return rows;
  };
  /** Neither process adds up until it is over. */
  const withoutService = async () => {
    const client = await database().connect();
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.callCounters]);
    return {
      over: async () => {
        await client.query('SELECT pg_advisory_unlock_all()');
        client.release();
      },
    };
  };

  /** The service under test has the same job: whoever has its lock does the work. */
  const added = () =>
    until(async () => {
      await service.compact();
      const rows = await tallies();
      return rows.every(({ is_sum }) => is_sum) && rows;
    });

  it('are added up where rows are new, and left unchanged elsewhere', async () => {
    const inside = await withoutService();
    for (const status of ['busy', 'busy', 'failed', 'ringing']) await aCall(status);
    await database().query(`UPDATE calls SET status = 'busy' WHERE account_id = $1 AND status = 'ringing'`, [
      user.id,
    ]);
    expect((await tallies()).length).toBeGreaterThan(2);
    await inside.over();
    const sums = await added();
    expect(sums.map(({ status, n }) => [status, n])).toEqual([
      ['busy', 3],
      ['failed', 1],
    ]);
    expect(await added()).toEqual(sums);

    await aCall('busy');
    const next = await added();
    expect(next.map(({ status, n }) => [status, n])).toEqual([
      ['busy', 4],
      ['failed', 1],
    ]);
    const { body } = await user.client.get<{ total: number }>('/user/calls?status=busy');
    expect(body.total).toBe(4);
  });
});
