import type { LedgerSource } from '../accounts/ledger-audit.service.js';
import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { LedgerService } from '../accounts/ledger.service.js';
import { SmsMessage } from './entities/sms.entities.js';
import { BalanceTooLow } from './sms.errors.js';

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

export interface SmsOrder {
  accountId: number;
  phoneNumberId: number;
  /** E.164, both. */
  from: string;
  to: string;
  body: string;
  segments: number;
  segmentPriceMicros: bigint;
  requestId: string | null;
}

/** Longer than the carrier's answer is waited for: until then the request is certainly on its way. */
const IN_FLIGHT_MS = 20_000;

/** A message and its money: both or neither. */
@Injectable()
export class SmsChargesService {
  constructor(
    private readonly db: DataSource,
    private readonly ledger: LedgerService,
  ) {}

  /** The message that an earlier attempt at the same request left behind. */
  ofRequest(requestId: string): Promise<SmsMessage | null> {
    return this.db.manager.findOneBy(SmsMessage, { requestId });
  }

  /** Takes the cost and writes the message as `pending`. @throws BalanceTooLow */
  chargeSms(order: SmsOrder): Promise<SmsMessage> {
    return this.db.transaction(async (tx) => {
      const message = tx.create(SmsMessage, {
        ...order,
        totalCostMicros: order.segmentPriceMicros * BigInt(order.segments),
        status: 'pending',
        token: randomBytes(18).toString('base64url'),
        checkAt: new Date(Date.now() + IN_FLIGHT_MS),
        smsSid: null,
        error: null,
      });
      await tx.insert(SmsMessage, message);
      // Last, so that the account's row is locked for no longer than the commit takes.
      const outcome = await this.ledger.postEntry(tx, {
        accountId: order.accountId,
        kind: 'sms',
        reference: String(message.id),
        amountMicros: -message.totalCostMicros,
        floorMicros: 0n,
      });
      if (outcome !== 'posted') throw new BalanceTooLow();
      return message;
    });
  }

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
        floorMicros: null,
      });
      return true;
    });
  }
}
