import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BatchLoader, assumeFewRows } from '#src/common/persistence/batches.js';
import { JobQueue } from '#src/queue/job-queue.js';
import type { WebhookChannel } from '../../assistants/assistant.types.js';
import type { WebhookEvent } from '../webhook.types.js';

/** The unit of concurrency: account and host. Accounts that use the same host have separate slots. */
export const receiverKeyOf = (accountId: number, url: string): string => `${accountId} ${new URL(url).host}`;

export interface NewDelivery {
  /** Unique per channel: a repeated event finds the existing delivery. */
  eventKey: string;
  channel: WebhookChannel;
  event: WebhookEvent;
  accountId: number;
  assistantId: number;
  callId: number | null;
  test: boolean;
  url: string;
  payload: object;
}

const MAX_BATCH = 50;

export const newWebhookId = (): string => `msg_${randomUUID()}`;

/** Separates bodies: JSON has no control characters. */
const BODY_SEPARATOR = '\x1e';

/**
 * Inserts and returns new rows. Bodies ($2) are a parameter of their own: to escape kilobytes of JSON in JSON takes
 * as long as the rest of the statement.
 */
const INSERT = `WITH given AS (
   SELECT * FROM ROWS FROM (
     json_to_recordset($1::json) AS (event_key text, channel text, event text, webhook_id text, account_id int,
       assistant_id int, call_id int, test boolean, url text, receiver text),
     unnest(string_to_array($2, '${BODY_SEPARATOR}'))) AS given (event_key, channel, event, webhook_id, account_id,
       assistant_id, call_id, test, url, receiver, body)
    WHERE ${assumeFewRows('account_id')})
 INSERT INTO webhook_deliveries (event_key, channel, event, webhook_id, account_id, assistant_id, call_id, test, url,
   receiver, body)
 SELECT * FROM given ON CONFLICT (event_key, channel) DO NOTHING RETURNING id, event_key, channel`;

/** Deliveries that existed before. After `WRITE`: one of another process may be committed while it runs. */
const FIND_EXISTING = `SELECT id, event_key, channel
  FROM webhook_deliveries JOIN unnest($1::text[], $2::text[]) AS given (event_key, channel) USING (event_key, channel)`;

interface InsertedDelivery {
  id: number;
  event_key: string;
  channel: string;
}

/** Creates deliveries; the payload is serialized once, here. */
@Injectable()
export class NewDeliveriesService {
  private readonly batches = new BatchLoader<NewDelivery, number>(
    (deliveries) => this.insertBatch(deliveries),
    MAX_BATCH,
  );

  private readonly unansweredSettings = new BatchLoader<number, boolean>(
    (ids) => this.findWantingUnanswered(ids),
    MAX_BATCH,
  );

  constructor(
    private readonly db: DataSource,
    private readonly queue: JobQueue,
  ) {}

  /** Enqueues the delivery, also an existing one: the process that inserted it may have died before it enqueued. */
  async createDelivery(delivery: NewDelivery): Promise<void> {
    const id = await this.insertDelivery(delivery);
    this.queue.enqueue('webhook-delivery', { id, accountId: delivery.accountId });
  }

  /** Whether the assistant wants events of unanswered calls; most do not, so the call is read only after this check. */
  wantsUnansweredCalls(callId: number): Promise<boolean> {
    return this.unansweredSettings.load(callId);
  }

  /** Inserts the row; the caller sends it. @returns the id of the new or existing row */
  insertDelivery(delivery: NewDelivery): Promise<number> {
    return this.batches.load(delivery);
  }

  private async findWantingUnanswered(callIds: number[]): Promise<boolean[]> {
    const rows: { id: number }[] = await this.db.query(
      `SELECT call_id AS id FROM call_results JOIN assistant_webhooks USING (assistant_id)
        WHERE call_id = ANY($1) AND NOT send_webhook_only_on_completed`,
      [callIds],
    );
    const wanting = new Set(rows.map(({ id }) => id));
    return callIds.map((id) => wanting.has(id));
  }

  private async insertBatch(deliveries: NewDelivery[]): Promise<number[]> {
    const rows = deliveries.map(toColumns);
    const bodies = deliveries.map(({ payload }) => JSON.stringify(payload));
    const inserted: InsertedDelivery[] = await this.db.query(INSERT, [
      JSON.stringify(rows),
      bodies.join(BODY_SEPARATOR),
    ]);
    const ids = new Map(inserted.map((row) => [deliveryKeyOf(row), row.id]));
    const existing = await this.findExisting(rows.filter((row) => !ids.has(deliveryKeyOf(row))));
    for (const row of existing) ids.set(deliveryKeyOf(row), row.id);
    return rows.map((row) => {
      const id = ids.get(deliveryKeyOf(row));
      if (id === undefined)
        throw new Error(`the delivery of ${row.event_key} was neither inserted nor found`);
      return id;
    });
  }

  private async findExisting(rows: readonly DeliveryKey[]): Promise<InsertedDelivery[]> {
    if (rows.length === 0) return [];
    return this.db.query(FIND_EXISTING, [
      rows.map(({ event_key }) => event_key),
      rows.map(({ channel }) => channel),
    ]);
  }
}

type DeliveryKey = Pick<InsertedDelivery, 'event_key' | 'channel'>;
const deliveryKeyOf = ({ event_key, channel }: DeliveryKey): string => `${event_key} ${channel}`;

/** Without the body, see `WRITE`. */
const toColumns = (delivery: NewDelivery) => ({
  event_key: delivery.eventKey,
  channel: delivery.channel,
  event: delivery.event,
  webhook_id: newWebhookId(),
  account_id: delivery.accountId,
  assistant_id: delivery.assistantId,
  call_id: delivery.callId,
  test: delivery.test,
  url: delivery.url,
  receiver: receiverKeyOf(delivery.accountId, delivery.url),
});
