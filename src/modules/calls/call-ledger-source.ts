import type { HoldSource, LedgerSource } from '../accounts/ledger-source.js';

/** What calls cost: a call that is not wrapped up yet has no cost and no entry. */
export const CALL_LEDGER_SOURCE: LedgerSource = {
  kinds: ['call', 'call-carrier'],
  expected: 'SELECT account_id, id::text AS reference, -total_cost_micros AS net_micros FROM calls',
};

/** Calls that are not charged yet. */
export const CALL_HOLD_SOURCE: HoldSource = {
  holds: 'SELECT account_id, hold_micros FROM calls WHERE hold_micros <> 0',
};
