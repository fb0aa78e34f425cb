import type { CarrierMessageStatus } from '../telephony/carrier-reports.js';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { BatchLoader, assumeFewRows } from '#src/common/persistence/batches.js';
import { sqlState, UNIQUE_VIOLATION } from '#src/http/errors/error-response.js';
import type { LedgerSource } from '../accounts/ledger-audit.service.js';
import { LedgerService } from '../accounts/ledger.service.js';
import { SMS_STATUSES, SmsMessage, type SmsStatus, wasRefunded } from './entities/sms.entities.js';

/** The carrier has the message under this identifier. */
export interface CarrierReceipt {
  sid: string;
  status: CarrierMessageStatus;
  error?: string;
}

/** The carrier's report about the message with this token. */
interface ReceiptUpdate {
  token: string;
  receipt: CarrierReceipt;
}

/** A message after an update. */
type SettledMessage = Pick<SmsMessage, 'id' | 'smsSid' | 'status' | 'updatedAt'>;

/** A row of the parameter of `SETTLE`. */
interface SettleParameter {
  n: number;
  token: string;
  sid: string;
  status: SmsStatus;
  error: string | null;
  former: SmsStatus[];
}

interface SettleRow {
  n: number;
  id: number;
  sms_sid: string | null;
  status: SmsMessage['status'];
  updated_at: Date;
}

const NEXT_STATUSES: Record<SmsStatus, readonly SmsStatus[]> = {
  pending: ['sent', 'delivered', 'failed'],
  sent: ['delivered', 'failed'],
  delivered: [],
  failed: [],
};

/** A message's next status for a status of the carrier. Late and repeated reports never move it backwards. */
export function nextStatus(current: SmsStatus, report: CarrierMessageStatus): SmsStatus {
  const reported: SmsStatus = report === 'queued' ? 'sent' : report;
  return NEXT_STATUSES[current].includes(reported) ? reported : current;
}

export const previousStatuses = (status: SmsStatus): SmsStatus[] =>
  SMS_STATUSES.filter((former) => NEXT_STATUSES[former].includes(status));

const MAX_BATCH = 100;
/** How far the carrier's clock may be behind ours. */
const CLOCK_SKEW_MS = 60_000;
/** Of a message that was refunded because no list had it. */
export const NEVER_CONFIRMED_REASON = 'The provider never confirmed it';

/** Earliest time under which the carrier may list a message of this creation time. */
export const earliestListedAt = (createdAt: Date): Date => new Date(createdAt.getTime() - CLOCK_SKEW_MS);

/**
 * Updates ($1) of messages that have the carrier's identifier, or are pending without one. `settleAlone` has the
 * others, and those that somebody else has locked.
 */
const SETTLE = `
  WITH receipts AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($1) AS receipt (n int, token text, sid text, status text, error text, former text[])
     WHERE ${assumeFewRows('n')}),
  free AS (
    SELECT DISTINCT ON (id) message.id, receipts.* FROM (
      SELECT id, receipts.n FROM sms_messages JOIN receipts USING (token)
       WHERE sms_messages.status = ANY(receipts.former)
         FOR NO KEY UPDATE OF sms_messages SKIP LOCKED) message JOIN receipts USING (n)
     ORDER BY id, n),
  moved AS (
    UPDATE sms_messages message
       SET sms_sid = free.sid, status = free.status, error = free.error, check_at = NULL, updated_at = now()
      FROM free
     WHERE message.id = free.id AND message.status = ANY(free.former)
       AND (message.sms_sid = free.sid OR message.sms_sid IS NULL AND message.status = 'pending')
    RETURNING message.id, free.n, message.sms_sid, message.status, message.updated_at)
  SELECT n, message.id, coalesce(moved.sms_sid, message.sms_sid) AS sms_sid,
         coalesce(moved.status, message.status) AS status, coalesce(moved.updated_at, message.updated_at) AS updated_at
    FROM receipts JOIN sms_messages message USING (token) LEFT JOIN moved USING (n)`;

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

/** Applies the carrier's responses and delivery reports, and refunds messages that it does not have. */
@Injectable()
export class DeliveryReceiptsService {
  private readonly updates = new BatchLoader<ReceiptUpdate, SettledMessage | null>(
    (updates) => this.settleBatch(updates),
    MAX_BATCH,
  );

  constructor(
    private readonly db: DataSource,
    private readonly ledger: LedgerService,
  ) {}

  /** Applies the carrier's response to our request. */
  async applyResponse(message: SmsMessage, receipt: CarrierReceipt): Promise<SmsMessage> {
    const settled = await this.settle(message.token, receipt);
    if (settled) return Object.assign(message, settled, { checkAt: null });
    await this.settleAlone(message.token, receipt);
    return this.db.manager.findOneByOrFail(SmsMessage, { id: message.id });
  }

  /** The carrier reported this about the message with the token; nothing where there is none. */
  async applyReport(token: string, receipt: CarrierReceipt): Promise<void> {
    const settled = await this.settle(token, receipt);
    if (!settled) await this.settleAlone(token, receipt);
  }

  /**
   * Refunds, once, a message that the carrier does not have.
   * @returns false when the message is not pending any more.
   */
  refundSms(id: number, reason: string): Promise<boolean> {
    return this.db.transaction(async (tx) => {
      const [[row]]: [
        { account_id: number; api_key_id: number | null; total_cost_micros: string }[],
        number,
      ] = await tx.query(
        `UPDATE sms_messages SET status = 'failed', error = $2, check_at = NULL, updated_at = now()
          WHERE id = $1 AND status = 'pending' AND sms_sid IS NULL RETURNING account_id, api_key_id, total_cost_micros`,
        [id, reason],
      );
      if (!row) return false;
      await this.ledger.postEntry(tx, {
        accountId: row.account_id,
        keyId: row.api_key_id,
        kind: 'sms-refund',
        reference: String(id),
        amountMicros: BigInt(row.total_cost_micros),
        mayOverdraw: true,
      });
      return true;
    });
  }

  /**
   * For a message in the carrier's list that matches a pending one. @returns null when the pending message was
   * settled meanwhile or the listed one belongs to another.
   */
  async assignReceipt(message: SmsMessage, { sid, status }: CarrierReceipt): Promise<SmsMessage | null> {
    const updated: [{ status: SmsStatus; updated_at: Date }[], number] | null = await this.db
      .query(
        `UPDATE sms_messages SET sms_sid = $2, status = $3, check_at = NULL, updated_at = now()
          WHERE id = $1 AND status = 'pending' AND sms_sid IS NULL RETURNING status, updated_at`,
        [message.id, sid, nextStatus('pending', status)],
      )
      .catch(nullWhenTaken);
    const row = updated?.[0][0];
    return row
      ? { ...message, smsSid: sid, status: row.status, updatedAt: row.updated_at, checkAt: null }
      : null;
  }

  /** @returns null: there is no such message, or `settleAlone` has it */
  private async settle(token: string, receipt: CarrierReceipt): Promise<SettledMessage | null> {
    const settled = await this.updates.load({ token, receipt }).catch(nullWhenTaken);
    const isDone =
      settled?.smsSid === receipt.sid && nextStatus(settled.status, receipt.status) === settled.status;
    return isDone ? settled : null;
  }

  private async settleBatch(all: ReceiptUpdate[]): Promise<(SettledMessage | null)[]> {
    // The statement changes a message once: of several updates of one message the last one counts.
    const asked = new Map<string, SettleParameter>();
    for (const { token, receipt } of all) {
      const name = receiptKeyOf(token, receipt);
      const known = asked.get(name);
      const status = nextStatus(known?.status ?? 'pending', receipt.status);
      if (status === known?.status) continue;
      const { sid, error = null } = receipt;
      const former = previousStatuses(status);
      asked.set(name, { n: known?.n ?? asked.size, token, sid, status, error, former });
    }
    const rows = await this.db.query<SettleRow[]>(SETTLE, [JSON.stringify([...asked.values()])]);
    const found = new Map(rows.map((row) => [row.n, row]));
    return all.map(({ token, receipt }) => {
      const row = found.get(asked.get(receiptKeyOf(token, receipt))?.n ?? -1);
      return row ? { id: row.id, smsSid: row.sms_sid, status: row.status, updatedAt: row.updated_at } : null;
    });
  }

  /**
   * An answer to our request, or a report under the message's token, overrides a match in a list: another message that
   * has the identifier is reconciled again. A message that was given up and refunded is charged again, also below zero.
   */
  private settleAlone(token: string, receipt: CarrierReceipt): Promise<void> {
    return this.db.transaction(async (tx) => {
      const { sid, status, error = null } = receipt;
      const found = await tx.find(SmsMessage, {
        where: [{ token }, { smsSid: sid }],
        order: { id: 'ASC' },
        lock: { mode: 'pessimistic_write' },
      });
      const message = found.find((one) => one.token === token);
      if (!message) return;
      if (message.smsSid === sid) return advanceStatus(tx, message, receipt);
      const holder = found.find(({ smsSid }) => smsSid === sid);
      // It was charged again for this identifier, and a message is refunded once: of equal ones, each may keep it.
      if (holder && (await this.ledger.isPosted(tx, 'sms-recharge', String(holder.id))))
        return advanceStatus(tx, holder, receipt);
      if (holder)
        await tx.update(
          SmsMessage,
          { id: holder.id },
          { smsSid: null, status: 'pending', checkAt: new Date() },
        );
      if (wasRefunded(message)) await this.chargeAgain(tx, message);
      const next = { smsSid: sid, status: nextStatus('pending', status), checkAt: null, error };
      await tx.update(SmsMessage, { id: message.id }, next);
      if (message.smsSid !== null) await this.passReceiptOn(tx, message);
    });
  }

  /**
   * The message had another's identifier, from a list. Its owner may have been refunded meanwhile, because the list had
   * no other left: an equal message is charged again and gets it, first one that was never confirmed. A pending one
   * finds it in the list.
   */
  private async passReceiptOn(tx: EntityManager, message: SmsMessage): Promise<void> {
    const { accountId, from, to, body, createdAt, smsSid, status, error } = message;
    const [refunded]: Pick<SmsMessage, 'id' | 'apiKeyId' | 'totalCostMicros'>[] = await tx.query(
      `SELECT id, api_key_id AS "apiKeyId", total_cost_micros AS "totalCostMicros" FROM sms_messages
        WHERE account_id = $1 AND from_number = $2 AND to_number = $3 AND body = $4 AND created_at >= $5
          AND status = 'failed' AND sms_sid IS NULL
        ORDER BY error = $6 DESC, id LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [accountId, from, to, body, earliestListedAt(createdAt), NEVER_CONFIRMED_REASON],
    );
    if (!refunded) return;
    await this.chargeAgain(tx, { ...refunded, accountId });
    await tx.update(SmsMessage, { id: refunded.id }, { smsSid, status, error, checkAt: null });
  }

  private async chargeAgain(
    tx: EntityManager,
    {
      id,
      accountId,
      apiKeyId,
      totalCostMicros,
    }: Pick<SmsMessage, 'id' | 'accountId' | 'apiKeyId' | 'totalCostMicros'>,
  ): Promise<void> {
    await this.ledger.postEntry(tx, {
      accountId,
      keyId: apiKeyId,
      kind: 'sms-recharge',
      reference: String(id),
      amountMicros: -BigInt(totalCostMicros),
      mayOverdraw: true,
    });
  }
}

/** A locked message, which has the carrier's identifier. */
async function advanceStatus(
  tx: EntityManager,
  { id, status }: SmsMessage,
  receipt: CarrierReceipt,
): Promise<void> {
  const next = nextStatus(status, receipt.status);
  if (next !== status) await tx.update(SmsMessage, { id }, { status: next, error: receipt.error ?? null });
}

const receiptKeyOf = (token: string, { sid }: CarrierReceipt): string => `${token} ${sid}`;

/** Another message has the carrier's identifier, from a list. */
function nullWhenTaken(error: unknown): null {
  if (sqlState(error) === UNIQUE_VIOLATION) return null;
  throw error;
}
