import { expect, it } from '@jest/globals';
import { callBudget } from '#src/modules/accounts/call-budget.js';
import { leavesCall } from '#src/modules/accounts/spend-limits.service.js';
import { anAccount } from '../factories/account.js';
import { database } from '../support/database.js';

const PRICE = 50_000n;

it.each([PRICE, 0n])(
  'has one rule in SQL and in the service for a balance that pays for a call at %s a minute',
  async (pricePerMinuteMicros) => {
    const available = [-1n, 0n, 1n, PRICE - 1n, PRICE, PRICE + 1n];
    const db = await database().connect();
    try {
      // Rolled back: no other test meets accounts whose balance is not that of their ledger.
      await db.query('BEGIN');
      await db.query(
        `WITH plan AS (
           INSERT INTO plans (name, max_tools, max_campaigns, max_parallel_calls, price_per_minute_micros)
           VALUES ('rule', 1, 1, 1, $1) RETURNING id)
         INSERT INTO accounts (name, email, plan_id, country, balance_micros, held_micros)
         SELECT 'rule', 'rule-' || n, plan.id, 'US', available + 70000, 70000
           FROM plan, unnest($2::bigint[]) WITH ORDINALITY AS given (available, n) ORDER BY n`,
        [String(pricePerMinuteMicros), available.map(String)],
      );
      const { rows } = await db.query<{ can_call: boolean }>(
        `SELECT can_call FROM account_plans JOIN accounts ON id = account_id WHERE email LIKE 'rule-%' ORDER BY email`,
      );
      expect(rows.map(({ can_call }) => can_call)).toEqual(
        available.map((availableMicros) => {
          const account = { availableMicros, plan: { pricePerMinuteMicros } };
          return callBudget(account as Parameters<typeof callBudget>[0], 60) !== null;
        }),
      );
    } finally {
      await db.query('ROLLBACK');
      db.release();
    }
  },
);

it('has one rule in SQL and in the service for a spend limit that pays for a call', async () => {
  const { id } = await anAccount();
  const left = [-1n, 0n, 1n, PRICE - 1n, PRICE, PRICE + 1n];
  const db = database();
  // Limits of keys, each of which leaves one of these.
  await db.query(
    `INSERT INTO spend_counters (account_id, key_id, limit_micros, held_micros)
     SELECT $1, n, left_micros + 70000, 70000 FROM unnest($2::bigint[]) WITH ORDINALITY AS given (left_micros, n)`,
    [id, left.map(String)],
  );
  const { rows } = await db.query<{ allows: boolean }>(
    'SELECT limits_allow_call($1, n::int) AS allows FROM generate_series(1, $2::int) n ORDER BY n',
    [id, left.length],
  );
  const account = { plan: { pricePerMinuteMicros: PRICE } } as Parameters<typeof leavesCall>[0];
  expect(rows.map(({ allows }) => allows)).toEqual(
    left.map((leftMicros) => leavesCall(account, { leftMicros, isOfKey: true })),
  );
  await db.query('DELETE FROM spend_counters WHERE account_id = $1', [id]);
});
