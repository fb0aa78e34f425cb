import pg from 'pg';
import type { TestAccount } from '../../../test/factories/account.js';
import type { NumberRow } from '../verifiers/numbers.js';
import { CARRIER } from '../../harness/sandbox-process.js';

/** Longer than the lease of a claimed row. */
const LEASE = `interval '40 seconds'`;

/** Reads and ages numbers in the database. */
export class NumberQueries {
  private readonly db: pg.Pool;

  constructor(postgresUrl: string) {
    this.db = new pg.Pool({ connectionString: postgresUrl, max: 2 });
    this.db.on('error', () => undefined);
  }

  async rows(): Promise<NumberRow[]> {
    const { rows } = await this.db.query<NumberRow & { price: string; paid: string }>(
      `SELECT id, account_id AS account, phone_number AS number, state, paid_months AS months,
              price_micros AS price, unpaid_since IS NOT NULL AS "isUnpaid",
              state = 'active' AND subscription_expires_at > now() AS "isActive",
              (SELECT coalesce(-sum(amount_micros), 0) FROM ledger_entries
                WHERE kind IN ('phone-number', 'phone-number-refund') AND reference LIKE number.id || ':%') AS paid
         FROM phone_numbers number WHERE price_micros IS NOT NULL ORDER BY id`,
    );
    return rows.map((row) => ({ ...row, price: BigInt(row.price), paid: BigInt(row.paid) }));
  }

  /** Work that is due or in progress; timed-out orders with a later check do not count. */
  async underWay(): Promise<string[]> {
    const { rows } = await this.db.query<{ line: string }>(
      `SELECT concat_ws(' ', 'number', id, state, due_at) AS line FROM phone_numbers
        WHERE due_at < now() + ${LEASE} OR state IN ('buying', 'releasing')`,
    );
    return rows.map(({ line }) => line);
  }

  /** Timed-out orders are checked now, and failed releases are retried. */
  async hurry(): Promise<void> {
    await this.db.query(
      `UPDATE phone_numbers SET due_at = now() WHERE state IN ('failed', 'releasing') AND due_at IS NOT NULL`,
    );
  }

  /** A day passes for all numbers. */
  async letDayPass(): Promise<void> {
    await this.db.query(
      `UPDATE phone_numbers SET created_at = created_at - interval '1 day', due_at = due_at - interval '1 day',
          unpaid_since = unpaid_since - interval '1 day',
          subscription_expires_at = subscription_expires_at - interval '1 day'
        WHERE price_micros IS NOT NULL AND state = 'active'`,
    );
  }

  /** As `accounts top-up` does. */
  async topUp({ id }: Pick<TestAccount, 'id'>, micros: bigint, reference: string): Promise<void> {
    await this.db.query(
      `WITH moved AS (UPDATE accounts SET balance_micros = balance_micros + $2 WHERE id = $1 RETURNING balance_micros)
       INSERT INTO ledger_entries (account_id, kind, reference, amount_micros, balance_micros)
       SELECT $1, 'top-up', $3, $2, balance_micros FROM moved`,
      [id, String(micros), reference],
    );
  }

  async close(): Promise<void> {
    await this.db.end();
  }
}

/** The numbers (E.164) that the carrier bills. */
export async function numbersAtCarrier(sandboxUrl: string): Promise<string[]> {
  const path = `/2010-04-01/Accounts/${CARRIER.accountSid}/IncomingPhoneNumbers.json?PageSize=1000`;
  const response = await fetch(sandboxUrl + path, {
    headers: { authorization: `Basic ${btoa(`${CARRIER.accountSid}:${CARRIER.authToken}`)}` },
  });
  const { incoming_phone_numbers } = (await response.json()) as {
    incoming_phone_numbers: { phone_number: string }[];
  };
  return incoming_phone_numbers.map(({ phone_number }) => phone_number);
}
