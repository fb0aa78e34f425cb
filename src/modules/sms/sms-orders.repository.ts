import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  IdempotencyService,
  sqlOfKeyClaims,
  type UnclaimedKey,
} from '#src/common/idempotency/idempotency.service.js';
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
  /** To be claimed with the order. */
  key: UnclaimedKey | null;
}

export interface PlacedOrder {
  message: SmsMessage;
  /** False: an earlier attempt at the same request, whose process died, has placed it. */
  isNew: boolean;
}

type Outcome =
  | { message: SmsMessage }
  /** The logical request of a message that is there already. */
  | { begun: string }
  | { failure: unknown }
  /** The logical request of the key, which was claimed. */
  | { lockedFor: string | null }
  | 'key taken'
  | 'too low';
/** `requestId`: of a key that is claimed already. */
type Waiting = SmsOrder & { token: string; requestId: string | null };

interface Row {
  n: number;
  /** The key, where there is one, was got. */
  is_claimed: boolean;
  /** The logical request; of a message that is there already when `is_begun`. */
  request_id: string | null;
  is_begun: boolean;
  /** Null: somebody else has locked the account. */
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
 * Places orders: one statement claims the keys of many messages, takes their cost, writes the ledger's entries and
 * writes them as `pending`; all of that or nothing. See docs/adr/0034.
 */
@Injectable()
export class SmsOrdersRepository {
  private readonly lines = new Map<number, Line>();
  private readonly orders = new BatchLoader<Waiting, Outcome>(
    (orders) => this.place(orders, true),
    MAX_BATCH,
  );

  constructor(
    private readonly db: DataSource,
    private readonly keys: IdempotencyService,
  ) {}

  /** @throws BalanceTooLow, KeyTaken */
  async placeOrder(order: SmsOrder): Promise<PlacedOrder> {
    const waiting = { ...order, token: randomBytes(18).toString('base64url'), requestId: null };
    let outcome = this.lines.has(order.accountId)
      ? await this.placeInLine(waiting)
      : await this.orders.load(waiting);
    if (outcome === 'key taken') outcome = await this.placeLate(waiting);
    else if (outcome !== 'too low' && 'lockedFor' in outcome)
      outcome = await this.placeInLine({ ...waiting, key: null, requestId: outcome.lockedFor });
    // Locked, and waited for in vain: the account is being removed.
    if (typeof outcome === 'string' || 'lockedFor' in outcome) throw new BalanceTooLow();
    if ('failure' in outcome) throw outcome.failure;
    if ('message' in outcome) return { message: outcome.message, isNew: true };
    const message = await this.db.manager.findOneByOrFail(SmsMessage, { requestId: outcome.begun });
    return { message, isNew: false };
  }

  /** @throws KeyTaken */
  private async placeLate(order: Waiting): Promise<Outcome> {
    const requestId = order.key && (await this.keys.claimLate(order.key));
    if (requestId !== null && (await this.db.manager.existsBy(SmsMessage, { requestId })))
      return { begun: requestId };
    return this.placeInLine({ ...order, key: null, requestId });
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
    const keys = new Set<string>();
    const asked = orders.flatMap((order, n) => {
      const name = order.key && `${order.accountId} ${order.key.key}`;
      if (name !== null && keys.has(name)) return [];
      if (name !== null) keys.add(name);
      return [toRecord(order, n)];
    });
    try {
      const text = keys.size > 0 ? PLACE.withKeys : PLACE.withoutKeys;
      const rows = await this.db.query<Row[]>(text, [JSON.stringify(asked), skipsLocked]);
      const placed = new Map(rows.map((row) => [row.n, row]));
      return orders.map((order, n) => outcomeOf(order, placed.get(n)));
    } catch (error) {
      // Tried alone, each of them would wait for the same.
      if (isContention(error) || isDatabaseAway(error)) return orders.map(() => ({ failure: error }));
      throw error;
    }
  }
}

/** @param row none for a key that another order of the batch has */
function outcomeOf(order: Waiting, row: Row | undefined): Outcome {
  if (!row?.is_claimed) return 'key taken';
  if (order.key) order.key.isClaimed = true;
  if (row.is_begun && row.request_id !== null) return { begun: row.request_id };
  if (row.is_paid === null) return { lockedFor: row.request_id };
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
  key: order.key?.key ?? null,
  request_hash: order.key?.hash ?? null,
  lock: order.key?.lock ?? null,
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

/** The logical requests of `asked`. A batch without keys, as most are, has no need of their tables. */
const REQUESTS = {
  withKeys: `
      claimed AS (${sqlOfKeyClaims('(SELECT * FROM asked WHERE key IS NOT NULL) asked')}),
      request AS MATERIALIZED (
        SELECT asked.n, asked.key IS NULL OR claimed.key IS NOT NULL AS is_claimed,
               begun.request_id IS NOT NULL AS is_begun, coalesce(asked.request_id, claimed.request_id) AS request_id
          FROM asked LEFT JOIN claimed ON claimed.account_id = asked.account_id AND claimed.key = asked.key
          LEFT JOIN sms_messages begun ON begun.request_id = claimed.request_id)`,
  withoutKeys: `
      request AS MATERIALIZED (SELECT n, true AS is_claimed, false AS is_begun, request_id FROM asked)`,
};

const placeWith = (requests: string): string => `
      WITH asked AS MATERIALIZED (
        SELECT nextval('sms_messages_id_seq')::int AS id, asked.*
          FROM jsonb_to_recordset($1) AS asked (n int, account_id int, phone_number_id int, from_number text,
            to_number text, body text, segments int, segment_price_micros bigint, cost_micros bigint, token text,
            request_id bigint, key text, request_hash text, lock uuid) WHERE ${fewRows('n')}), ${requests},
      payment AS MATERIALIZED (
        SELECT payment.* FROM pay_in_order((
          SELECT coalesce(jsonb_agg(jsonb_build_object(
                   'n', n, 'account_id', account_id, 'cost_micros', cost_micros, 'reference', id::text)), '[]')
            FROM asked JOIN request USING (n) WHERE is_claimed AND NOT is_begun), 'sms', $2) payment),
      written AS (
        INSERT INTO sms_messages (id, account_id, phone_number_id, from_number, to_number, body, segments,
          segment_price_micros, total_cost_micros, token, request_id, check_at) OVERRIDING SYSTEM VALUE
        SELECT asked.id, account_id, phone_number_id, from_number, to_number, body, segments, segment_price_micros,
               cost_micros, token, request.request_id, now() + make_interval(secs => ${IN_FLIGHT_SECONDS})
          FROM asked JOIN request USING (n) JOIN payment USING (n) WHERE is_paid ORDER BY n
        RETURNING id, created_at, updated_at)
      SELECT n, is_claimed, is_begun, request.request_id, is_paid, written.id, created_at, updated_at
        FROM asked JOIN request USING (n) LEFT JOIN payment USING (n) LEFT JOIN written ON written.id = asked.id`;

const PLACE = { withKeys: placeWith(REQUESTS.withKeys), withoutKeys: placeWith(REQUESTS.withoutKeys) };
