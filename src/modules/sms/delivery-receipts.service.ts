import type { CarrierMessageStatus, MessageHandler, MessageReport } from '../telephony/carrier-reports.js';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, In, Not, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { sqlState, UNIQUE_VIOLATION } from '#src/common/errors/error-answer.js';
import { LedgerService } from '../accounts/ledger.service.js';
import { SmsMessage, wasRefunded } from './entities/sms.entities.js';
import { CarrierGatewayService } from '../telephony/carrier-gateway.service.js';
import { statusAfter, statusesBefore } from './sms-status.js';

/** The carrier has the message under this identifier. */
export interface Proof {
  sid: string;
  status: CarrierMessageStatus;
  error?: string;
}

/** Makes the carrier's word the message's state. */
@Injectable()
export class DeliveryReceiptsService {
  constructor(
    private readonly db: DataSource,
    private readonly ledger: LedgerService,
  ) {}

  /** The carrier answered our request with this message. */
  async accepted(message: SmsMessage, proof: Proof): Promise<SmsMessage> {
    const claimed = await this.claimReceipt(message, proof);
    if (claimed) return claimed;
    await this.applyReceipt({ id: message.id }, proof);
    return this.db.manager.findOneByOrFail(SmsMessage, { id: message.id });
  }

  /**
   * For a message in the carrier's list that matches a pending one. @returns null when the pending message was
   * settled meanwhile or the listed one belongs to another.
   */
  async claimReceipt(message: SmsMessage, { sid, status }: Proof): Promise<SmsMessage | null> {
    const [[row]]: [{ status: SmsMessage['status']; updated_at: Date }[], number] = await this.db
      .query(
        `UPDATE sms_messages SET sms_sid = $2, status = $3, check_at = NULL, updated_at = now()
          WHERE id = $1 AND status = 'pending' AND sms_sid IS NULL RETURNING status, updated_at`,
        [message.id, sid, statusAfter('pending', status)],
      )
      .catch(nothingWhenTaken);
    return row
      ? { ...message, smsSid: sid, status: row.status, updatedAt: row.updated_at, checkAt: null }
      : null;
  }

  /**
   * For the carrier's answer to our request and reports under the message's token; these override a match in a list.
   * A message that was given up and refunded is charged again, also below zero.
   */
  async applyReceipt(which: FindOptionsWhere<SmsMessage>, proof: Proof): Promise<void> {
    const message = await this.db.manager.findOneBy(SmsMessage, which);
    if (!message) return;
    if (message.smsSid === proof.sid) await this.advance(message, proof);
    else await this.identify(message.id, proof);
  }

  private async advance({ id, status: current }: SmsMessage, { sid, status, error }: Proof): Promise<void> {
    const next = statusAfter(current, status);
    if (next === current) return;
    await this.db.manager.update(
      SmsMessage,
      { id, smsSid: sid, status: In(statusesBefore(next)) },
      { status: next, error: error ?? null },
    );
  }

  private identify(id: number, { sid, status, error }: Proof): Promise<void> {
    return this.db.transaction(async (tx) => {
      await releaseOthers(tx, sid, id);
      const message = await tx.findOneOrFail(SmsMessage, {
        where: { id },
        lock: { mode: 'pessimistic_write' },
      });
      if (wasRefunded(message)) await this.takeAgain(tx, message);
      const known = message.smsSid === sid ? message.status : 'pending';
      const next = { smsSid: sid, status: statusAfter(known, status), checkAt: null, error: error ?? null };
      await tx.update(SmsMessage, { id }, next);
    });
  }

  private async takeAgain(tx: EntityManager, { id, accountId, totalCostMicros }: SmsMessage): Promise<void> {
    await this.ledger.postEntry(tx, {
      accountId,
      kind: 'sms-recharge',
      reference: String(id),
      amountMicros: -totalCostMicros,
      floorMicros: null,
    });
  }
}

/** Of two equal messages, the one that got this identifier from a list is reconciled again. */
async function releaseOthers(tx: EntityManager, sid: string, id: number): Promise<void> {
  await tx.update(
    SmsMessage,
    { smsSid: sid, id: Not(id) },
    { smsSid: null, status: 'pending', checkAt: new Date() },
  );
}

function nothingWhenTaken(error: unknown): [[], number] {
  if (sqlState(error) === UNIQUE_VIOLATION) return [[], 0];
  throw error;
}

/** Receives the carrier's delivery reports; those about unknown messages are ignored. */
@Injectable()
export class SmsReportsListener implements MessageHandler, OnModuleInit {
  constructor(
    private readonly gateway: CarrierGatewayService,
    private readonly receipts: DeliveryReceiptsService,
  ) {}

  onModuleInit(): void {
    this.gateway.useMessages(this);
  }

  async report({ token, sid, status, errorCode }: MessageReport): Promise<void> {
    const error =
      status === 'failed'
        ? `The provider could not deliver it (${errorCode ?? 'no reason given'})`
        : undefined;
    await this.receipts.applyReceipt({ token }, { sid, status, error });
  }
}
