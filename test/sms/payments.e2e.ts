import { expect, it } from '@jest/globals';
import { anAccount } from '../factories/account.js';
import { database } from '../support/database.js';

const CENT = 10_000;

it('charges payments together where an account covers all of them, and in their order where it does not', async () => {
  const [rich, poor, empty] = await Promise.all(
    [1, 0.05, 0].map(async (balance) => (await anAccount({ balance })).id),
  );
  const asked = [
    [poor, 4],
    [rich, 10],
    [poor, 2],
    [empty, 1],
    [rich, 20],
    [poor, 1],
  ].map(([account_id, cents = 0], n) => ({
    n,
    account_id,
    cost_micros: cents * CENT,
    reference: `payments-${account_id}-${n}`,
  }));
  const { rows: outcomes } = await database().query('SELECT * FROM pay_in_order($1, $2, false) ORDER BY n', [
    JSON.stringify(asked),
    'sms',
  ]);
  expect(outcomes).toEqual(
    [true, true, false, false, true, true].map((is_paid, n) => ({ n, is_paid, is_refused: false })),
  );
  const { rows: accounts } = await database().query<{ cents: number }>(
    `SELECT (balance_micros / ${CENT})::int AS cents FROM accounts WHERE id = ANY($1) ORDER BY id`,
    [[rich, poor, empty].sort((a = 0, b = 0) => a - b)],
  );
  expect(accounts.map(({ cents }) => cents).sort((a, b) => a - b)).toEqual([0, 0, 70]);
  const { rows: entries } = await database().query(
    `SELECT reference, (amount_micros / ${CENT})::int AS cents, (balance_micros / ${CENT})::int AS left
       FROM ledger_entries WHERE reference LIKE 'payments-%' AND account_id = ANY($1) ORDER BY account_id = $2 DESC, id`,
    [[rich, poor, empty], rich],
  );
  expect(entries).toEqual([
    { reference: `payments-${rich}-1`, cents: -10, left: 90 },
    { reference: `payments-${rich}-4`, cents: -20, left: 70 },
    { reference: `payments-${poor}-0`, cents: -4, left: 1 },
    { reference: `payments-${poor}-5`, cents: -1, left: 0 },
  ]);
});

it('charges a reference once, and beyond the balance where permitted', async () => {
  const { id } = await anAccount({ balance: 0.05 });
  const pay = async (cents: number, may_overdraw: boolean): Promise<boolean | undefined> => {
    const asked = [
      { n: 0, account_id: id, cost_micros: cents * CENT, reference: `payments-once-${id}`, may_overdraw },
    ];
    const { rows } = await database().query<{ is_paid: boolean }>(
      'SELECT * FROM pay_in_order($1, $2, false)',
      [JSON.stringify(asked), 'call'],
    );
    return rows[0]?.is_paid;
  };
  expect([await pay(7, false), await pay(7, true), await pay(7, true)]).toEqual([false, true, false]);
  const { rows } = await database().query(
    `SELECT (balance_micros / ${CENT})::int AS cents FROM accounts WHERE id = $1`,
    [id],
  );
  expect(rows).toEqual([{ cents: -2 }]);
});
