import type { WebhookMessage } from './webhook-sender.service.js';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { LeasedRows, type Lease } from '#src/common/persistence/leased-rows.js';
import type { JobRow } from '#src/queue/job-queue.js';
import type { WebhookChannel } from '../../assistants/assistant.types.js';
import { MAX_SIGNING_SECRETS, type StoredWebhookSecret } from '../webhook-secrets.service.js';
import { WebhookMetricsService } from '../webhook-metrics.service.js';
import { WAITING_DELIVERIES } from '../webhook.types.js';

/** The webhook of an assistant on one channel. */
export interface AssistantChannel {
  assistantId: number;
  channel: WebhookChannel;
}

/** A due delivery with the account and receiver of its slots. */
export interface QueuedDelivery {
  id: number;
  accountId: number;
  receiver: string;
}

/** Receivers and accounts without a free slot in this process. */
export interface SaturatedTargets {
  receivers: string[];
  accounts: number[];
}

/** A delivery claimed by a worker. */
export interface ClaimedDelivery extends Lease, QueuedDelivery, Omit<WebhookMessage, 'secrets'> {
  id: number;
  callId: number | null;
  test: boolean;
  url: string;
  /** Null: the account has no secret yet. */
  secrets: StoredWebhookSecret[] | null;
  /** Failed attempts since the first or since the last replay. */
  roundAttempts: number;
}

/** Longer than a request to a receiver and the commit after it, see `RECORD_TIMEOUT_MS`. */
export const DELIVERY_LEASE_SECONDS = 30;
/** Rows per statement: short locks, short transactions. */
const CANCEL_BATCH = 1_000;

/** Of the row `waiter`; the current secret first. */
const SIGNING_SECRETS_SQL = `(SELECT jsonb_agg(signing) FROM (
  SELECT secrets.id, secret FROM webhook_secrets secrets
   WHERE secrets.account_id = waiter.account_id AND (retires_at IS NULL OR retires_at > now())
   ORDER BY secrets.id DESC LIMIT ${MAX_SIGNING_SECRETS}) signing)`;

/** Reads, claims and cancels pending deliveries. */
@Injectable()
export class DeliveriesRepository {
  private readonly rows: LeasedRows<ClaimedDelivery>;

  constructor(
    private readonly db: DataSource,
    private readonly metrics: WebhookMetricsService,
  ) {
    this.rows = new LeasedRows(db, {
      ...WAITING_DELIVERIES,
      partyIs: 'party.receiver <> ALL($3) AND party.account_id <> ALL($4)',
      rowIs: `NOT (test AND created_at > now() - make_interval(secs => ${DELIVERY_LEASE_SECONDS}))`,
      seconds: DELIVERY_LEASE_SECONDS,
      counter: 'claims',
      returning: `account_id AS "accountId", assistant_id AS "assistantId", call_id AS "callId", channel, event,
        webhook_id AS "webhookId", test, url, receiver, body, round_attempts AS "roundAttempts", ${SIGNING_SECRETS_SQL} AS secrets`,
    });
  }

  /**
   * Due rows, except those of receivers and accounts without a free slot in this process, and except test deliveries
   * that are being sent by the process that received the request.
   */
  findDue(limit: number, saturated: SaturatedTargets): Promise<JobRow[]> {
    return this.rows.read(limit, [saturated.receivers, saturated.accounts]);
  }

  /** In the order in which they are due. */
  findQueued(ids: number[]): Promise<QueuedDelivery[]> {
    return this.db.query(
      `SELECT id, account_id AS "accountId", receiver FROM webhook_deliveries WHERE id = ANY($1) ORDER BY due_at, id`,
      [ids],
    );
  }

  /** Claims the rows that no other process has claimed. */
  claimDeliveries(ids: number[]): Promise<ClaimedDelivery[]> {
    return this.rows.claim(ids);
  }

  /** Makes the delivery due at once, to the current `url` and `receiver`. */
  requeueDelivery(row: ClaimedDelivery, { url, receiver }: { url: string; receiver: string }): Promise<void> {
    return this.rows.release(row, 0, { url, receiver });
  }

  async cancelDelivery(id: number, reason: string): Promise<void> {
    const [, cancelled]: [unknown[], number] = await this.db.query(
      `UPDATE webhook_deliveries SET state = 'cancelled', reason = $1 WHERE id = $2 AND state = 'pending'`,
      [reason, id],
    );
    this.metrics.countDeliveries('cancelled', cancelled);
  }

  /**
   * Cancels the pending deliveries of a channel. One that is being sent may still be delivered; one that is put back
   * meanwhile may be missed, and is cancelled when it is due.
   */
  async cancelChannel(accountId: number, channel: AssistantChannel, reason: string): Promise<void> {
    let last: DeliveryPosition | undefined = { receiver: '', dueAt: '-infinity', id: 0 };
    while (last) last = await this.cancelNextBatch(last, accountId, channel, reason);
  }

  /**
   * Reads the next pending rows of the account: an index by assistant would cost a write for each delivery.
   *
   * @returns the position of the last one; undefined at the end
   */
  private async cancelNextBatch(
    last: DeliveryPosition,
    accountId: number,
    { assistantId, channel }: AssistantChannel,
    reason: string,
  ): Promise<DeliveryPosition | undefined> {
    const [row]: (DeliveryPosition & { cancelled: number })[] = await this.db.query(
      `WITH next AS (
         SELECT id, receiver, due_at, assistant_id = $1 AND channel = $2 AS is_its FROM webhook_deliveries
          WHERE account_id = $7 AND state = 'pending' AND (receiver, due_at, id) > ($4, $5::timestamptz, $6::int)
          ORDER BY receiver, due_at, id LIMIT ${CANCEL_BATCH}),
       cancelled AS (
         UPDATE webhook_deliveries row SET state = 'cancelled', reason = $3 FROM next
          WHERE row.id = next.id AND is_its AND row.state = 'pending' RETURNING row.id)
       SELECT id, receiver, due_at::text AS "dueAt", (SELECT count(*)::int FROM cancelled) AS cancelled
         FROM next ORDER BY receiver DESC, due_at DESC, id DESC LIMIT 1`,
      [assistantId, channel, reason, last.receiver, last.dueAt, last.id, accountId],
    );
    if (row) this.metrics.countDeliveries('cancelled', row.cancelled);
    return row;
  }
}

/** Position in the order of an account's pending deliveries. */
interface DeliveryPosition {
  receiver: string;
  /** As the database writes it: a `Date` has no microseconds. */
  dueAt: string;
  id: number;
}
