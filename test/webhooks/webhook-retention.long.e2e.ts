import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestAccount } from '../factories/account.js';
import { OwnService } from '../support/own-service.js';
import { until } from '../support/until.js';

const DAYS = 20;
/** More than one statement removes. */
const OLD = 1_005;

// Not beside the service of all files: it would work on their calls and deliveries, too.
let own: OwnService;
let user: TestAccount;

const insert = (state: string, days: number, count: number): Promise<unknown> =>
  own.db.query(
    `WITH delivery AS (
       INSERT INTO webhook_deliveries (account_id, event_key, channel, event, webhook_id, assistant_id, url, receiver,
         body, state, due_at, created_at)
       SELECT $1, 'old:' || gen_random_uuid(), 'post-call', 'call.completed', 'msg_' || gen_random_uuid(), 0,
         'https://example.com/', 'nobody', '{}', $2, now() + interval '1 day', now() - make_interval(days => $3)
         FROM generate_series(1, $4)
       RETURNING id)
     INSERT INTO webhook_attempts (delivery_id, number, url, error, duration_ms)
     SELECT id, number, 'https://example.com/', $5, 1 FROM delivery, generate_series(1, 2) AS number`,
    [user.id, state, days, count, user.email],
  );

beforeAll(async () => {
  own = await OwnService.start(undefined, { WEBHOOK_RETENTION_DAYS: String(DAYS) });
  user = await own.account();
});
afterAll(() => own.stop());

it('deletes deliveries with their attempts after the retention time, except pending ones', async () => {
  await insert('delivered', 25, OLD);
  await insert('dead', 25, 1);
  await insert('pending', 25, 1);
  await insert('delivered', 15, 1);
  // It cleans at its start, and then every ten minutes.
  await own.restart();
  const left = await until(async () => {
    const { rows } = await own.db.query<{ state: string; old: boolean }>(
      `SELECT state, created_at < now() - make_interval(days => $2) AS old FROM webhook_deliveries
        WHERE account_id = $1 ORDER BY created_at`,
      [user.id, DAYS],
    );
    return rows.length <= 2 ? rows : null;
  });
  expect(left).toEqual([
    { state: 'pending', old: true },
    { state: 'delivered', old: false },
  ]);
  const attempts = await own.db.query<{ number: number; count: number }>(
    'SELECT number, count(*)::int AS count FROM webhook_attempts WHERE error = $1 GROUP BY number ORDER BY number',
    [user.email],
  );
  expect(attempts.rows).toEqual([
    { number: 1, count: 2 },
    { number: 2, count: 2 },
  ]);
});
