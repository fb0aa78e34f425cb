import type { LedgerKind } from './ledger-kinds.js';

/**
 * What the owner of some kinds of entries says they must sum to. The text is SQL over the owner's own tables
 * with the columns `account_id`, `reference` and `net_micros` (negative: taken from the balance), one row for
 * each reference that may stand in the ledger.
 */
export interface LedgerSource {
  kinds: readonly LedgerKind[];
  expected: string;
}

/** What the owner of something that holds money says is held: SQL with the columns `account_id`, `hold_micros`. */
export interface HoldSource {
  holds: string;
}
