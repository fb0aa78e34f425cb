import { expect, it } from '@jest/globals';
import { callBudget } from '#src/modules/accounts/call-budget.js';
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
