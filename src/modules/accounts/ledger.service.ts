import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { LedgerEntry, type LedgerKind } from './entities/account.entities.js';

export interface LedgerPosting {
  accountId: number;
  kind: LedgerKind;
  /** The reason of the entry; a kind and a reference are posted once. */
  reference: string;
  /** Of the API key that has started what is paid; null: none. */
  keyId?: number | null;
  /** Negative takes from the balance. */
  amountMicros: bigint;
  /** Whether it is posted when it exceeds the available balance, which is the balance without holds. */
  mayOverdraw: boolean;
  /** Whether a spend limit of the account or of the key may refuse it; default false. */
  isLimited?: boolean;
}

/** `refused`: by a spend limit. */
export type PostingOutcome = 'posted' | 'repeated' | 'insufficient' | 'refused';

/** Entries of the ledger with their effect on the balance, by the database's function `pay_in_order`. */
@Injectable()
export class LedgerService {
  /** Safe to repeat. */
  async postEntry(tx: EntityManager, posting: LedgerPosting): Promise<PostingOutcome> {
    const {
      accountId,
      kind,
      reference,
      amountMicros,
      mayOverdraw,
      keyId = null,
      isLimited = false,
    } = posting;
    const asked = {
      n: 0,
      account_id: accountId,
      key_id: keyId,
      cost_micros: String(-amountMicros),
      reference,
      may_overdraw: mayOverdraw,
      is_limited: isLimited,
    };
    const [entry]: { is_paid: boolean; is_refused: boolean }[] = await tx.query(
      'SELECT is_paid, is_refused FROM pay_in_order($1, $2, false)',
      [JSON.stringify([asked]), kind],
    );
    if (entry?.is_paid) return 'posted';
    if (entry?.is_refused) return 'refused';
    return (await this.isPosted(tx, kind, reference)) ? 'repeated' : 'insufficient';
  }

  isPosted(tx: EntityManager, kind: LedgerKind, reference: string): Promise<boolean> {
    return tx.existsBy(LedgerEntry, { kind, reference });
  }
}
