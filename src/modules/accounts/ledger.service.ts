import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { LedgerEntry, type LedgerKind } from './entities/account.entities.js';

export interface Posting {
  accountId: number;
  kind: LedgerKind;
  /** What the money moved for; a kind and a reference are posted once. */
  reference: string;
  /** Negative takes from the balance. */
  amountMicros: bigint;
  /** What is available, the balance without holds, may not fall below this; null: it may go anywhere. */
  floorMicros: bigint | null;
}

export type PostingOutcome = 'posted' | 'repeated' | 'insufficient';

/**
 * Names of parts (CTEs) of a statement that charges many things of many accounts: each of them reads those before it.
 *
 * - `payer`: the accounts, locked, see `sqlOfPayers`.
 * - `asked_payment (account_id, place, cost_micros)`: the caller's; what is to be paid, numbered from 1 by account.
 * - `payment (account_id, place, is_paid, left_micros)`: see `sqlOfPayments`.
 * - `paid (account_id, place, cost_micros, reference)`: the caller's; what was written for paid ones.
 * - `moved`, `entered`: see `sqlOfEntries`.
 */
const BALANCE_AFTER = 'payer.balance_micros - payer.available_micros + payment.left_micros';

/** The only writer of balances: an entry and its effect on the balance are one statement. */
@Injectable()
export class LedgerService {
  /** Locks the accounts of a parameter (`int[]`), as every change of a balance does. @param whenLocked `SKIP LOCKED` or nothing */
  sqlOfPayers(accountIds: string, whenLocked: string): string {
    return `SELECT id, balance_micros, balance_micros - held_micros AS available_micros FROM accounts
             WHERE id = ANY(${accountIds}) FOR NO KEY UPDATE ${whenLocked}`;
  }

  /** In order, what is available pays for all that it covers; what it does not cover leaves it to those that follow. */
  sqlOfPayments(): string {
    return `SELECT id AS account_id, 0::bigint AS place, false AS is_paid, available_micros AS left_micros FROM payer
             UNION ALL
            SELECT asked.account_id, asked.place, asked.cost_micros <= payment.left_micros,
                   payment.left_micros
                     - CASE WHEN asked.cost_micros <= payment.left_micros THEN asked.cost_micros ELSE 0 END
              FROM payment JOIN asked_payment asked
                ON asked.account_id = payment.account_id AND asked.place = payment.place + 1`;
  }

  /** The balances and the entries of what was paid. */
  sqlOfEntries(kind: LedgerKind): string {
    return `moved AS (
        UPDATE accounts SET balance_micros = accounts.balance_micros - spent.micros, updated_at = now()
          FROM (SELECT account_id, sum(cost_micros)::bigint AS micros FROM paid GROUP BY account_id) spent
         WHERE accounts.id = spent.account_id),
      entered AS (
        INSERT INTO ledger_entries (account_id, kind, reference, amount_micros, balance_micros)
        SELECT account_id, '${kind}', paid.reference, -paid.cost_micros, ${BALANCE_AFTER}
          FROM paid JOIN payment USING (account_id, place) JOIN payer ON payer.id = account_id
         ORDER BY account_id, place)`;
  }

  /** Safe to repeat. Two at once with one reference: the second fails on the unique index and rolls back. */
  async postEntry(tx: EntityManager, posting: Posting): Promise<PostingOutcome> {
    const { accountId, kind, reference, amountMicros, floorMicros } = posting;
    const [entry]: { id: string }[] = await tx.query(
      `WITH moved AS (
         UPDATE accounts SET balance_micros = balance_micros + $4::bigint, updated_at = now()
          WHERE id = $1 AND ($5::bigint IS NULL OR balance_micros - held_micros + $4::bigint >= $5::bigint)
            AND NOT EXISTS (SELECT 1 FROM ledger_entries WHERE kind = $2 AND reference = $3)
         RETURNING balance_micros)
       INSERT INTO ledger_entries (account_id, kind, reference, amount_micros, balance_micros)
       SELECT $1, $2, $3, $4::bigint, balance_micros FROM moved RETURNING id`,
      [accountId, kind, reference, String(amountMicros), floorMicros === null ? null : String(floorMicros)],
    );
    if (entry) return 'posted';
    return (await tx.existsBy(LedgerEntry, { kind, reference })) ? 'repeated' : 'insufficient';
  }
}
