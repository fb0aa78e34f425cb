import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { sqlState, UNIQUE_VIOLATION } from '#src/common/errors/describe-error.js';
import { isContentionError, isDatabaseUnavailable } from '#src/common/persistence/database-unavailable.js';
import { BatchLoader } from '#src/common/persistence/batches.js';
import { lockAccount } from '#src/common/persistence/locks.js';
import type { Actor } from '#src/common/work-context.js';
import { AuditService, currentActor } from '../audit/audit.service.js';
import { SpendLimitsService } from '../accounts/spend-limits.service.js';
import { ErasedNumbersService } from '../suppressions/erased-numbers.service.js';
import { SmsMessage } from './entities/sms.entities.js';
import { BalanceTooLow, RecipientErased } from './sms.errors.js';

export interface SmsOrder {
  accountId: number;
  /** As in `SmsMessage`. */
  apiKeyId: number | null;
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

export interface PlacedSmsOrder {
  message: SmsMessage;
  /** False: another process, which works on the same request too, has placed it. */
  isNew: boolean;
}

type OrderResult = { message: SmsMessage } | { failure: unknown } | 'too low' | 'limited';
/** Another request may run the statement. */
type QueuedOrder = SmsOrder & { token: string; actor: Actor };

/** Absent for an order that the balance does not cover. `id` null: a spend limit does not cover it. */
interface OrderRow {
  n: number;
  id: number | null;
  created_at: Date;
  updated_at: Date;
}
type PlacedRow = OrderRow & { id: number };

/** Orders of one account: those that arrive while a statement runs are placed by the next one. */
interface AccountOrders {
  batches: BatchLoader<QueuedOrder, OrderResult>;
  waiting: number;
}

const MAX_BATCH = 100;
/** Longer than the carrier's timeout: until then the request may still be running. */
const IN_FLIGHT_SECONDS = 20;

/**
 * Places orders: with the account locked, recipients whose data is erased are refused, and one statement takes the cost
 * of the other messages, writes the ledger's entries and writes the messages as `pending`; all of that or nothing. An
 * account that somebody has locked holds up no other. See docs/build/adr/0034.
 */
@Injectable()
export class SmsOrdersRepository {
  private readonly accounts = new Map<number, AccountOrders>();

  constructor(
    private readonly db: DataSource,
    private readonly audit: AuditService,
    private readonly spendLimits: SpendLimitsService,
    private readonly erased: ErasedNumbersService,
  ) {}

  /** Null: no attempt at the request has placed its order. */
  findByRequest(requestId: string): Promise<SmsMessage | null> {
    return this.db.manager.findOneBy(SmsMessage, { requestId });
  }

  /** @throws RecipientErased, BalanceTooLow, SpendLimitExceeded */
  async placeOrder(order: SmsOrder): Promise<PlacedSmsOrder> {
    try {
      return { message: await this.placeInBatch(order), isNew: true };
    } catch (error) {
      // A process that was suspended while its lease of the key expired.
      if (sqlState(error) !== UNIQUE_VIOLATION || order.requestId === null) throw error;
      const message = await this.findByRequest(order.requestId);
      if (!message) throw error;
      return { message, isNew: false };
    }
  }

  private async placeInBatch(order: SmsOrder): Promise<SmsMessage> {
    const { accountId } = order;
    const orders = this.accounts.get(accountId) ?? {
      batches: new BatchLoader<QueuedOrder, OrderResult>(
        (waiting) => this.placeBatch(accountId, waiting),
        MAX_BATCH,
      ),
      waiting: 0,
    };
    this.accounts.set(accountId, orders);
    orders.waiting++;
    try {
      const outcome = await orders.batches.load({
        ...order,
        token: randomBytes(18).toString('base64url'),
        actor: currentActor(),
      });
      if (outcome === 'too low') throw new BalanceTooLow();
      if (outcome === 'limited') {
        const spender = { accountId, keyId: order.apiKeyId };
        throw await this.spendLimits.refusalOf(this.db.manager, spender, costOf(order));
      }
      if ('failure' in outcome) throw outcome.failure;
      return outcome.message;
    } finally {
      if (--orders.waiting === 0) this.accounts.delete(accountId);
    }
  }

  private async placeBatch(accountId: number, orders: QueuedOrder[]): Promise<OrderResult[]> {
    try {
      const { rows, erased } = await this.audit.change(async (tx, record) => {
        // An erasure that is requested from here on waits, and then finds the messages.
        await lockAccount(tx, accountId);
        const recipients = orders.map(({ to }) => to);
        const found = await this.erased.findErased(tx, accountId, recipients);
        const asked = orders.map(toParameters).filter(({ to_number }) => !found.has(to_number));
        const written = await tx.query<OrderRow[]>(PLACE, [JSON.stringify(asked)]);
        for (const { n, id } of written.filter(isPlaced)) {
          const actor = orders[n]?.actor;
          record({ accountId, action: 'sms.create', resourceId: id, ...(actor && { actor }) });
        }
        return { rows: written, erased: found };
      });
      const placed = new Map(rows.map((row) => [row.n, row]));
      return orders.map((order, n) =>
        erased.has(order.to) ? { failure: new RecipientErased() } : toOrderResult(order, placed.get(n)),
      );
    } catch (error) {
      // Tried alone, each of them would wait for the same.
      if (isContentionError(error) || isDatabaseUnavailable(error))
        return orders.map(() => ({ failure: error }));
      throw error;
    }
  }
}

function toOrderResult(order: QueuedOrder, row: OrderRow | undefined): OrderResult {
  if (!row) return 'too low';
  return isPlaced(row) ? { message: toMessage(order, row) } : 'limited';
}

const isPlaced = (row: OrderRow): row is PlacedRow => row.id !== null;

const costOf = ({
  segments,
  segmentPriceMicros,
}: Pick<SmsOrder, 'segments' | 'segmentPriceMicros'>): bigint => segmentPriceMicros * BigInt(segments);

const toParameters = (order: QueuedOrder, n: number) => ({
  n,
  account_id: order.accountId,
  api_key_id: order.apiKeyId,
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
  order: QueuedOrder,
  { id, created_at: createdAt, updated_at: updatedAt }: PlacedRow,
): SmsMessage =>
  Object.assign(new SmsMessage(), {
    id,
    accountId: order.accountId,
    apiKeyId: order.apiKeyId,
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
      FROM jsonb_to_recordset($1) AS asked (n int, account_id int, api_key_id int, phone_number_id int, from_number text,
        to_number text, body text, segments int, segment_price_micros bigint, cost_micros bigint, token text,
        request_id bigint)),
  payment AS MATERIALIZED (
    SELECT payment.* FROM pay_in_order((
      SELECT coalesce(jsonb_agg(jsonb_build_object(
               'n', n, 'account_id', account_id, 'key_id', api_key_id, 'cost_micros', cost_micros,
               'reference', id::text, 'is_limited', true)), '[]')
        FROM asked), 'sms', false) payment),
  written AS (
    INSERT INTO sms_messages (id, account_id, api_key_id, phone_number_id, from_number, to_number, body, segments,
      segment_price_micros, total_cost_micros, token, request_id, check_at) OVERRIDING SYSTEM VALUE
    SELECT asked.id, account_id, api_key_id, phone_number_id, from_number, to_number, body, segments, segment_price_micros,
           cost_micros, token, request_id, now() + make_interval(secs => ${IN_FLIGHT_SECONDS})
      FROM asked JOIN payment USING (n) WHERE is_paid ORDER BY n
    RETURNING id, created_at, updated_at)
  SELECT n, written.id, created_at, updated_at FROM asked JOIN payment USING (n) LEFT JOIN written USING (id)
   WHERE is_paid OR is_refused`;
