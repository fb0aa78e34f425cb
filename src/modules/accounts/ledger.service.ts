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
 * The only writer of balances beside `pay_in_order(asked, kind, skips_locked)` in the database, which charges many
 * things of many accounts within the statement that writes them: an entry and its effect on the balance are one
 * statement. `asked` is an array of `{n, account_id, cost_micros, reference}`. In the order of `n`, what is available
 * in an account pays for all that it covers; what it does not cover leaves it to those that follow. Returns `{n,
 * is_paid}` of all but, with `skips_locked`, those of accounts that somebody else has locked.
 */
@Injectable()
export class LedgerService {
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
    return (await this.isPosted(tx, kind, reference)) ? 'repeated' : 'insufficient';
  }

  isPosted(tx: EntityManager, kind: LedgerKind, reference: string): Promise<boolean> {
    return tx.existsBy(LedgerEntry, { kind, reference });
  }
}
