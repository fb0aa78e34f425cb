import type { WebhookMessage } from './webhook-sender.service.js';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { LeasedRows, type Lease } from '#src/common/persistence/leased-rows.js';
import type { JobRow } from '#src/queue/job-queue.js';
import type { WebhookChannel } from '../../assistants/assistant.types.js';
import { MAX_SIGNING } from '../webhook-secrets.service.js';
import { WebhookMetricsService } from '../webhook-metrics.service.js';
import { WAITING_DELIVERIES } from '../webhook.types.js';

/** The webhook of an assistant on one channel. */
export interface Channel {
  assistantId: number;
  channel: WebhookChannel;
}

/** A delivery, and whose slots it needs. */
export interface Party {
  id: number;
  accountId: number;
  receiver: string;
}

/** Receivers and accounts without a free slot. */
export interface FullParties {
  receivers: string[];
  accounts: number[];
}

/** A delivery that a worker has claimed. */
export interface ClaimedDelivery extends Lease, Party, Omit<WebhookMessage, 'secrets'> {
  id: number;
  callId: number | null;
  test: boolean;
  url: string;
  /** Null: the account has no secret yet. */
  secrets: string[] | null;
  /** Failed attempts since the first or since the last replay. */
  roundAttempts: number;
}

/** Longer than a request to a receiver and the commit after it may take, see `RECORD_MS`. */
export const LEASE_SECONDS = 30;
/** Rows that one statement looks through: short locks, short transactions. */
const CANCEL_BATCH = 1_000;

/** Of the row `waiter`; the current secret first. */
const SECRETS = `(SELECT (array_agg(secret ORDER BY secrets.id DESC))[1:${MAX_SIGNING}] FROM webhook_secrets secrets
  WHERE secrets.account_id = waiter.account_id AND (retires_at IS NULL OR retires_at > now()))`;

/** Deliveries that are not finished. */
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
      rowIs: `NOT (test AND created_at > now() - make_interval(secs => ${LEASE_SECONDS}))`,
      seconds: LEASE_SECONDS,
      counter: 'claims',
      returning: `account_id AS "accountId", assistant_id AS "assistantId", call_id AS "callId", channel, event,
        webhook_id AS "webhookId", test, url, receiver, body, round_attempts AS "roundAttempts", ${SECRETS} AS secrets`,
    });
  }

  /**
   * Due rows, except those of receivers and accounts without a free slot in this process, and except test deliveries
   * that are being sent by the process that received the request.
   */
  due(limit: number, full: FullParties): Promise<JobRow[]> {
    return this.rows.read(limit, [full.receivers, full.accounts]);
  }

  /** In the order in which they are due. */
  partiesOf(ids: number[]): Promise<Party[]> {
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
  putBack(row: ClaimedDelivery, { url, receiver }: { url: string; receiver: string }): Promise<void> {
    return this.rows.release(row, 0, { url, receiver });
  }

  async cancel(id: number, reason: string): Promise<void> {
    const [, cancelled]: [unknown[], number] = await this.db.query(
      `UPDATE webhook_deliveries SET state = 'cancelled', reason = $1 WHERE id = $2 AND state = 'pending'`,
      [reason, id],
    );
    this.metrics.decided('cancelled', cancelled);
  }

  /**
   * Cancels the pending deliveries of a channel. One that is being sent may still be delivered; one that is put back
   * meanwhile may be missed, and is cancelled when it is due.
   */
  async cancelAll(accountId: number, channel: Channel, reason: string): Promise<void> {
    let last: Place | undefined = { receiver: '', dueAt: '-infinity', id: 0 };
    while (last) last = await this.cancelAfter(last, accountId, channel, reason);
  }

  /**
   * Goes through the next pending rows of the account: an index by assistant would be written for each delivery.
   *
   * @returns the last one; undefined: there was none
   */
  private async cancelAfter(
    last: Place,
    accountId: number,
    { assistantId, channel }: Channel,
    reason: string,
  ): Promise<Place | undefined> {
    const [row]: (Place & { cancelled: number })[] = await this.db.query(
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
    if (row) this.metrics.decided('cancelled', row.cancelled);
    return row;
  }
}

/** Of a row among the pending ones of its account. */
interface Place {
  receiver: string;
  /** As the database writes it: a `Date` has no microseconds. */
  dueAt: string;
  id: number;
}
