import type { LedgerSource } from '../accounts/ledger-audit.service.js';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { LedgerService } from '../accounts/ledger.service.js';
import { SmsMessage } from './entities/sms.entities.js';

/** A message costs unless the carrier never had it, see `wasRefunded`. */
export const SMS_LEDGER_SOURCE: LedgerSource = {
  kinds: ['sms', 'sms-refund', 'sms-recharge'],
  expected: (tx) =>
    tx
      .createQueryBuilder(SmsMessage, 'sms')
      .select('sms.accountId', 'account_id')
      .addSelect('CAST(sms.id AS text)', 'reference')
      .addSelect(
        `CASE WHEN sms.status = 'failed' AND sms.smsSid IS NULL THEN 0 ELSE 0 - sms.totalCostMicros END`,
        'net_micros',
      ),
};

/** What becomes of the cost of a message, see `SmsOrdersRepository` for how it is taken. */
@Injectable()
export class SmsChargesService {
  constructor(
    private readonly db: DataSource,
    private readonly ledger: LedgerService,
  ) {}

  /**
   * Gives the cost back, once, for a message that the carrier does not have.
   * @returns false when the message is not pending any more.
   */
  refundSms(id: number, reason: string): Promise<boolean> {
    return this.db.transaction(async (tx) => {
      const [[row]]: [{ account_id: number; total_cost_micros: string }[], number] = await tx.query(
        `UPDATE sms_messages SET status = 'failed', error = $2, check_at = NULL, updated_at = now()
          WHERE id = $1 AND status = 'pending' AND sms_sid IS NULL RETURNING account_id, total_cost_micros`,
        [id, reason],
      );
      if (!row) return false;
      await this.ledger.postEntry(tx, {
        accountId: row.account_id,
        kind: 'sms-refund',
        reference: String(id),
        amountMicros: BigInt(row.total_cost_micros),
        mayOverdraw: true,
      });
      return true;
    });
  }
}
