import { randomInt } from 'node:crypto';
import { DAY_MS } from '#src/common/time/durations.js';
import type { TestAccount } from '../factories/account.js';
import { balanceOf } from './sms.js';
import { database } from './database.js';
import { until } from './until.js';

/** Of a month, in every country. */
export const PRICE = 2;

/** Numbers that the sandbox sells, by the last digits that select what happens with them. */
export const TAKEN = '9001';
export const NEEDS_ADDRESS = '9002';
export const ERROR_AFTER = '9004';
export const ERROR_BEFORE = '9005';
export const BUSY_CARRIER = '9006';
export const RELEASE_FAILS = '9008';

export interface Bought {
  message: string;
  data: { id: number; phone_number: string; country_code: string; type: string; sms_capable: boolean };
}

/** A number for sale that no other test buys. */
export const aNumberForSale = (last?: string): string =>
  `+1212${randomInt(200, 1000)}${last ?? String(randomInt(1000, 9000))}`;

export const purchase = (
  { client }: TestAccount,
  phone_number: string,
  headers: Record<string, string> = {},
) => client.post<Bought>('/user/phone-numbers/purchase', { phone_number }, headers);

export interface NumberRow {
  id: number;
  state: string;
  carrier_sid: string | null;
  paid_months: number;
  unpaid_since: Date | null;
}

export async function numberRow(id: number): Promise<NumberRow> {
  const { rows } = await database().query<NumberRow>('SELECT * FROM phone_numbers WHERE id = $1', [id]);
  if (!rows[0]) throw new Error(`there is no number ${id}`);
  return rows[0];
}

/** What was taken for a number, by the month. */
export async function paidFor(id: number): Promise<[kind: string, reference: string, amount: number][]> {
  const { rows } = await database().query<{ kind: string; reference: string; amount: string }>(
    `SELECT kind, reference, amount_micros / 1000000.0 AS amount FROM ledger_entries
      WHERE kind LIKE 'phone-number%' AND reference LIKE $1 ORDER BY id`,
    [`${id}:%`],
  );
  return rows.map(({ kind, reference, amount }) => [kind, reference, Number(amount)]);
}

/**
 * Moves everything about a number so far into the past, so that as much time has passed for it. Waits until no job
 * works on it, which would write times from before.
 */
export async function letPass(id: number, interval: string): Promise<void> {
  await until(async () => {
    const { rowCount } = await database().query(
      `UPDATE phone_numbers SET created_at = created_at - $2::interval, due_at = due_at - $2::interval,
          unpaid_since = unpaid_since - $2::interval, subscription_expires_at = subscription_expires_at - $2::interval
        WHERE id = $1 AND (due_at IS NULL OR due_at > now() + interval '35 seconds')`,
      [id, interval],
    );
    return rowCount === 1;
  });
}

/**
 * Lets the paid month of a number pass, and the days of grace but for the returned minutes. The month ends on a day that
 * every month has: months that end on others have begun on the same day as those that end before.
 */
export async function letMonthPass(id: number): Promise<number> {
  let leftMinutes = 30;
  const endOf = (): Date => new Date(Date.now() - 3 * DAY_MS + leftMinutes * 60_000);
  while (endOf().getUTCDate() > 28) leftMinutes += 30;
  const { rowCount } = await database().query(
    `UPDATE phone_numbers SET created_at = $2::timestamptz - interval '1 month', due_at = $2,
            subscription_expires_at = $2::timestamptz + interval '3 days'
      WHERE id = $1 AND paid_months = 1`,
    [id, endOf()],
  );
  if (rowCount !== 1) throw new Error(`the number ${id} has not paid one month`);
  return leftMinutes;
}

export { balanceOf };
