import type { LedgerSource } from '../accounts/ledger-source.js';

/** A message costs unless the carrier never had it, see `wasRefunded`. */
export const SMS_LEDGER_SOURCE: LedgerSource = {
  kinds: ['sms', 'sms-refund', 'sms-recharge'],
  expected: `
    SELECT account_id, id::text AS reference,
           CASE WHEN status = 'failed' AND sms_sid IS NULL THEN 0 ELSE -total_cost_micros END AS net_micros
      FROM sms_messages`,
};
