/**
 * Why money moved. `call-carrier` is the carrier's cost of a call when it became known only after the call was
 * charged; `sms-recharge` takes again what was refunded for a message that the carrier had sent after all.
 */
export const LEDGER_KINDS = ['top-up', 'call', 'call-carrier', 'sms', 'sms-refund', 'sms-recharge'] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];
