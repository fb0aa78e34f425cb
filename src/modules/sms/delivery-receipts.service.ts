import type { CarrierMessageStatus } from '../telephony/carrier-reports.js';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { BatchLoader, assumeFewRows } from '#src/common/persistence/batches.js';
import { sqlState, UNIQUE_VIOLATION } from '#src/http/errors/error-response.js';
import type { LedgerSource } from '../accounts/ledger-audit.service.js';
import { LedgerService } from '../accounts/ledger.service.js';
import { SmsMessage, wasRefunded } from './entities/sms.entities.js';
import { type SmsStatus, statusAfter, statusesBefore } from './sms-status.js';

/** The carrier has the message under this identifier. */
export interface Proof {
  sid: string;
  status: CarrierMessageStatus;
  error?: string;
}

/** What the carrier says of the message with this token. */
interface ReceiptUpdate {
  token: string;
  proof: Proof;
}

/** A message after an update. */
type Settled = Pick<SmsMessage, 'id' | 'smsSid' | 'status' | 'updatedAt'>;

/** A row of the parameter of `SETTLE`. */
interface Asked {
  n: number;
  token: string;
  sid: string;
  status: SmsStatus;
  error: string | null;
  former: SmsStatus[];
}

interface Row {
  n: number;
  id: number;
  sms_sid: string | null;
  status: SmsMessage['status'];
  updated_at: Date;
}

const MAX_BATCH = 100;
/** How far the carrier's clock may be behind ours. */
const CLOCK_SKEW_MS = 60_000;
/** Of a message that was refunded because no list had it. */
export const NEVER_CONFIRMED = 'The provider never confirmed it';

/** From when on the carrier may list a message that was written then. */
export const listedSince = (createdAt: Date): Date => new Date(createdAt.getTime() - CLOCK_SKEW_MS);

/**
 * Updates ($1) of messages that have the carrier's identifier, or are pending without one. `settleAlone` has the
 * others, and those that somebody else has locked.
 */
const SETTLE = `
  WITH told AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($1) AS told (n int, token text, sid text, status text, error text, former text[])
     WHERE ${assumeFewRows('n')}),
  free AS (
    SELECT DISTINCT ON (id) message.id, told.* FROM (
      SELECT id, told.n FROM sms_messages JOIN told USING (token)
       WHERE sms_messages.status = ANY(told.former)
         FOR NO KEY UPDATE OF sms_messages SKIP LOCKED) message JOIN told USING (n)
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
    FROM told JOIN sms_messages message USING (token) LEFT JOIN moved USING (n)`;

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

/** Applies the carrier's answers and delivery reports, and gives back the cost of messages that it does not have. */
@Injectable()
export class DeliveryReceiptsService {
  private readonly updates = new BatchLoader<ReceiptUpdate, Settled | null>(
    (updates) => this.settleTogether(updates),
    MAX_BATCH,
  );

  constructor(
    private readonly db: DataSource,
    private readonly ledger: LedgerService,
  ) {}

  /** The carrier answered our request with this message. */
  async accepted(message: SmsMessage, proof: Proof): Promise<SmsMessage> {
    const settled = await this.settle(message.token, proof);
    if (settled) return Object.assign(message, settled, { checkAt: null });
    await this.settleAlone(message.token, proof);
    return this.db.manager.findOneByOrFail(SmsMessage, { id: message.id });
  }

  /** The carrier reported this about the message with the token; nothing where there is none. */
  async reported(token: string, proof: Proof): Promise<void> {
    const settled = await this.settle(token, proof);
    if (!settled) await this.settleAlone(token, proof);
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
        mayOverdraw: true,
      });
      return true;
    });
  }

  /**
   * For a message in the carrier's list that matches a pending one. @returns null when the pending message was
   * settled meanwhile or the listed one belongs to another.
   */
  async claimReceipt(message: SmsMessage, { sid, status }: Proof): Promise<SmsMessage | null> {
    const updated: [{ status: SmsStatus; updated_at: Date }[], number] | null = await this.db
      .query(
        `UPDATE sms_messages SET sms_sid = $2, status = $3, check_at = NULL, updated_at = now()
          WHERE id = $1 AND status = 'pending' AND sms_sid IS NULL RETURNING status, updated_at`,
        [message.id, sid, statusAfter('pending', status)],
      )
      .catch(nothingWhenTaken);
    const row = updated?.[0][0];
    return row
      ? { ...message, smsSid: sid, status: row.status, updatedAt: row.updated_at, checkAt: null }
      : null;
  }

  /** @returns null: there is no such message, or `settleAlone` has it */
  private async settle(token: string, proof: Proof): Promise<Settled | null> {
    const settled = await this.updates.load({ token, proof }).catch(nothingWhenTaken);
    const isDone =
      settled?.smsSid === proof.sid && statusAfter(settled.status, proof.status) === settled.status;
    return isDone ? settled : null;
  }

  private async settleTogether(all: ReceiptUpdate[]): Promise<(Settled | null)[]> {
    // The statement changes a message once: updates of one that come together count as the last of them.
    const asked = new Map<string, Asked>();
    for (const { token, proof } of all) {
      const name = nameOf(token, proof);
      const known = asked.get(name);
      const status = statusAfter(known?.status ?? 'pending', proof.status);
      if (status === known?.status) continue;
      const { sid, error = null } = proof;
      const former = statusesBefore(status);
      asked.set(name, { n: known?.n ?? asked.size, token, sid, status, error, former });
    }
    const rows = await this.db.query<Row[]>(SETTLE, [JSON.stringify([...asked.values()])]);
    const found = new Map(rows.map((row) => [row.n, row]));
    return all.map(({ token, proof }) => {
      const row = found.get(asked.get(nameOf(token, proof))?.n ?? -1);
      return row ? { id: row.id, smsSid: row.sms_sid, status: row.status, updatedAt: row.updated_at } : null;
    });
  }

  /**
   * An answer to our request, or a report under the message's token, overrides a match in a list: another message that
   * has the identifier is reconciled again. A message that was given up and refunded is charged again, also below zero.
   */
  private settleAlone(token: string, proof: Proof): Promise<void> {
    return this.db.transaction(async (tx) => {
      const { sid, status, error = null } = proof;
      const found = await tx.find(SmsMessage, {
        where: [{ token }, { smsSid: sid }],
        order: { id: 'ASC' },
        lock: { mode: 'pessimistic_write' },
      });
      const message = found.find((one) => one.token === token);
      if (!message) return;
      if (message.smsSid === sid) return advance(tx, message, proof);
      const holder = found.find(({ smsSid }) => smsSid === sid);
      // It was charged again for this identifier, and a message is refunded once: of equal ones, each may keep it.
      if (holder && (await this.ledger.isPosted(tx, 'sms-recharge', String(holder.id))))
        return advance(tx, holder, proof);
      if (holder)
        await tx.update(
          SmsMessage,
          { id: holder.id },
          { smsSid: null, status: 'pending', checkAt: new Date() },
        );
      if (wasRefunded(message)) await this.takeAgain(tx, message);
      const next = { smsSid: sid, status: statusAfter('pending', status), checkAt: null, error };
      await tx.update(SmsMessage, { id: message.id }, next);
      if (message.smsSid !== null) await this.passOn(tx, message);
    });
  }

  /**
   * The message had another's identifier, from a list. Its owner may have been refunded meanwhile, because the list had
   * no other left: an equal message is charged again and gets it, first one that was never confirmed. A pending one
   * finds it in the list.
   */
  private async passOn(tx: EntityManager, message: SmsMessage): Promise<void> {
    const { accountId, from, to, body, createdAt, smsSid, status, error } = message;
    const [refunded]: Pick<SmsMessage, 'id' | 'totalCostMicros'>[] = await tx.query(
      `SELECT id, total_cost_micros AS "totalCostMicros" FROM sms_messages
        WHERE account_id = $1 AND from_number = $2 AND to_number = $3 AND body = $4 AND created_at >= $5
          AND status = 'failed' AND sms_sid IS NULL
        ORDER BY error = $6 DESC, id LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [accountId, from, to, body, listedSince(createdAt), NEVER_CONFIRMED],
    );
    if (!refunded) return;
    await this.takeAgain(tx, { ...refunded, accountId });
    await tx.update(SmsMessage, { id: refunded.id }, { smsSid, status, error, checkAt: null });
  }

  private async takeAgain(
    tx: EntityManager,
    { id, accountId, totalCostMicros }: Pick<SmsMessage, 'id' | 'accountId' | 'totalCostMicros'>,
  ): Promise<void> {
    await this.ledger.postEntry(tx, {
      accountId,
      kind: 'sms-recharge',
      reference: String(id),
      amountMicros: -BigInt(totalCostMicros),
      mayOverdraw: true,
    });
  }
}

/** A locked message, which has the carrier's identifier. */
async function advance(tx: EntityManager, { id, status }: SmsMessage, proof: Proof): Promise<void> {
  const next = statusAfter(status, proof.status);
  if (next !== status) await tx.update(SmsMessage, { id }, { status: next, error: proof.error ?? null });
}

const nameOf = (token: string, { sid }: Proof): string => `${token} ${sid}`;

/** Another message has the carrier's identifier, from a list. */
function nothingWhenTaken(error: unknown): null {
  if (sqlState(error) === UNIQUE_VIOLATION) return null;
  throw error;
}
