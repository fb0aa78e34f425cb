import type { LedgerSource } from '../accounts/ledger-source.js';

/** What calls cost: a call that is not wrapped up yet has no cost and no entry. */
export const CALL_LEDGER_SOURCE: LedgerSource = {
  kinds: ['call', 'call-carrier'],
  expected: 'SELECT account_id, id::text AS reference, -total_cost_micros AS net_micros FROM calls',
};
