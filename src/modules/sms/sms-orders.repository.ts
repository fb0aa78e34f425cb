import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { sqlState, UNIQUE_VIOLATION } from '#src/common/errors/describe-error.js';
import { isContention, isDatabaseAway } from '#src/common/persistence/database-unavailable.js';
import { BatchLoader, fewRows } from '#src/common/persistence/batches.js';
import { SmsMessage } from './entities/sms.entities.js';
import { BalanceTooLow } from './sms.errors.js';

export interface SmsOrder {
  accountId: number;
  phoneNumberId: number;
  /** E.164, both. */
  from: string;
  to: string;
  body: string;
  segments: number;
  segmentPriceMicros: bigint;
  /** Names the logical request of an Idempotency-Key, which orders one message. */
  requestId: string | null;
}

export interface PlacedOrder {
  message: SmsMessage;
  /** False: another process, which works on the same request too, has placed it. */
  isNew: boolean;
}

type Outcome = { message: SmsMessage } | { failure: unknown } | 'locked' | 'too low';
type Waiting = SmsOrder & { token: string };

interface Row {
  n: number;
  /** Absent: somebody else has locked the account. */
  is_paid: boolean | null;
  id: number | null;
  created_at: Date;
  updated_at: Date;
}

/** Orders of one account that wait together for its row. */
interface Line {
  orders: BatchLoader<Waiting, Outcome>;
  count: number;
}

const MAX_BATCH = 100;
/** Longer than the carrier's answer is waited for: until then the request is certainly on its way. */
const IN_FLIGHT_SECONDS = 20;

/**
 * Places orders: one statement takes the cost of many messages, writes the ledger's entries and writes the messages as
 * `pending`; all of that or nothing. See docs/adr/0034.
 */
@Injectable()
export class SmsOrdersRepository {
  private readonly lines = new Map<number, Line>();
  private readonly orders = new BatchLoader<Waiting, Outcome>(
    (orders) => this.place(orders, true),
    MAX_BATCH,
  );

  constructor(private readonly db: DataSource) {}

  /** Null: no attempt at the request came as far as its order. */
  byRequest(requestId: string): Promise<SmsMessage | null> {
    return this.db.manager.findOneBy(SmsMessage, { requestId });
  }

  /** @throws BalanceTooLow */
  async placeOrder(order: SmsOrder): Promise<PlacedOrder> {
    try {
      return { message: await this.insert(order), isNew: true };
    } catch (error) {
      // A process that stood still while its lease of the key expired.
      if (sqlState(error) !== UNIQUE_VIOLATION || order.requestId === null) throw error;
      const message = await this.byRequest(order.requestId);
      if (!message) throw error;
      return { message, isNew: false };
    }
  }

  private async insert(order: SmsOrder): Promise<SmsMessage> {
    const waiting = { ...order, token: randomBytes(18).toString('base64url') };
    let outcome = this.lines.has(order.accountId)
      ? await this.placeInLine(waiting)
      : await this.orders.load(waiting);
    if (outcome === 'locked') outcome = await this.placeInLine(waiting);
    // Locked, and waited for in vain: the account is being removed.
    if (typeof outcome === 'string') throw new BalanceTooLow();
    if ('failure' in outcome) throw outcome.failure;
    return outcome.message;
  }

  /** An account that somebody else has locked is waited for here, so that the orders of others do not. */
  private async placeInLine(order: Waiting): Promise<Outcome> {
    const { accountId } = order;
    const line = this.lines.get(accountId) ?? {
      orders: new BatchLoader<Waiting, Outcome>((orders) => this.place(orders, false), MAX_BATCH),
      count: 0,
    };
    this.lines.set(accountId, line);
    line.count++;
    try {
      return await line.orders.load(order);
    } finally {
      if (--line.count === 0) this.lines.delete(accountId);
    }
  }

  private async place(orders: Waiting[], skipsLocked: boolean): Promise<Outcome[]> {
    try {
      const rows = await this.db.query<Row[]>(PLACE, [JSON.stringify(orders.map(toRecord)), skipsLocked]);
      const placed = new Map(rows.map((row) => [row.n, row]));
      return orders.map((order, n) => outcomeOf(order, placed.get(n)));
    } catch (error) {
      // Tried alone, each of them would wait for the same.
      if (isContention(error) || isDatabaseAway(error)) return orders.map(() => ({ failure: error }));
      throw error;
    }
  }
}

function outcomeOf(order: Waiting, row: Row | undefined): Outcome {
  if (!row || row.is_paid === null) return 'locked';
  return row.id === null ? 'too low' : { message: toMessage(order, row.id, row) };
}

const costOf = ({
  segments,
  segmentPriceMicros,
}: Pick<SmsOrder, 'segments' | 'segmentPriceMicros'>): bigint => segmentPriceMicros * BigInt(segments);

const toRecord = (order: Waiting, n: number) => ({
  n,
  account_id: order.accountId,
  phone_number_id: order.phoneNumberId,
  from_number: order.from,
  to_number: order.to,
  // JSON has an escape for halves of a character, which the database refuses.
  body: order.body.toWellFormed(),
  segments: order.segments,
  segment_price_micros: String(order.segmentPriceMicros),
  cost_micros: String(costOf(order)),
  token: order.token,
  request_id: order.requestId,
});

const toMessage = (
  order: Waiting,
  id: number,
  { created_at: createdAt, updated_at: updatedAt }: Row,
): SmsMessage =>
  Object.assign(new SmsMessage(), {
    id,
    accountId: order.accountId,
    phoneNumberId: order.phoneNumberId,
    from: order.from,
    to: order.to,
    body: order.body,
    segments: order.segments,
    segmentPriceMicros: order.segmentPriceMicros,
    token: order.token,
    requestId: order.requestId,
    totalCostMicros: costOf(order),
    status: 'pending' as const,
    smsSid: null,
    error: null,
    checkAt: null,
    createdAt,
    updatedAt,
  });

const PLACE = `
  WITH asked AS MATERIALIZED (
    SELECT nextval('sms_messages_id_seq')::int AS id, asked.*
      FROM jsonb_to_recordset($1) AS asked (n int, account_id int, phone_number_id int, from_number text,
        to_number text, body text, segments int, segment_price_micros bigint, cost_micros bigint, token text,
        request_id bigint) WHERE ${fewRows('n')}),
  payment AS MATERIALIZED (
    SELECT payment.* FROM pay_in_order((
      SELECT coalesce(jsonb_agg(jsonb_build_object(
               'n', n, 'account_id', account_id, 'cost_micros', cost_micros, 'reference', id::text)), '[]')
        FROM asked), 'sms', $2) payment),
  written AS (
    INSERT INTO sms_messages (id, account_id, phone_number_id, from_number, to_number, body, segments,
      segment_price_micros, total_cost_micros, token, request_id, check_at) OVERRIDING SYSTEM VALUE
    SELECT asked.id, account_id, phone_number_id, from_number, to_number, body, segments, segment_price_micros,
           cost_micros, token, request_id, now() + make_interval(secs => ${IN_FLIGHT_SECONDS})
      FROM asked JOIN payment USING (n) WHERE is_paid ORDER BY n
    RETURNING id, created_at, updated_at)
  SELECT n, is_paid, written.id, created_at, updated_at
    FROM asked LEFT JOIN payment USING (n) LEFT JOIN written ON written.id = asked.id`;
