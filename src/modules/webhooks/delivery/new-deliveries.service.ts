import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BatchLoader } from '#src/common/persistence/batches.js';
import { JobQueue } from '#src/queue/job-queue.js';
import type { WebhookChannel } from '../../assistants/assistant.types.js';
import type { WebhookEvent } from '../webhook.types.js';

/** The unit of concurrency: account and host. Accounts that use the same host have separate slots. */
export const receiverOf = (accountId: number, url: string): string => `${accountId} ${new URL(url).host}`;

export interface NewDelivery {
  /** Unique per channel: an event that is dispatched again finds its row. */
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

export const newWebhookId = (): string => `msg_${randomBytes(18).toString('base64url')}`;

/** Creates deliveries; the payload is serialized once, here. */
@Injectable()
export class NewDeliveriesService {
  private readonly batches = new BatchLoader<NewDelivery, number>(
    (deliveries) => this.writeAll(deliveries),
    MAX_BATCH,
  );

  private readonly unanswered = new BatchLoader<number, boolean>((ids) => this.whichAreTold(ids), MAX_BATCH);

  constructor(
    private readonly db: DataSource,
    private readonly queue: JobQueue,
  ) {}

  /** Enqueues the row, also when it exists already: the process that wrote it may have died before this step. */
  async addDelivery(delivery: NewDelivery): Promise<void> {
    const id = await this.writeDelivery(delivery);
    this.queue.enqueue('webhook-delivery', { id, accountId: delivery.accountId });
  }

  /** Whether the assistant of an unanswered call has it reported: most do not, and the call need not be read. */
  isUnansweredTold(callId: number): Promise<boolean> {
    return this.unanswered.load(callId);
  }

  /** @returns the id of the new or existing row. */
  writeDelivery(delivery: NewDelivery): Promise<number> {
    return this.batches.load(delivery);
  }

  private async whichAreTold(callIds: number[]): Promise<boolean[]> {
    const rows: { id: number }[] = await this.db.query(
      `SELECT call.id FROM calls call JOIN assistants assistant ON assistant.id = call.assistant_id
        WHERE call.id = ANY($1) AND NOT send_webhook_only_on_completed`,
      [callIds],
    );
    const told = new Set(rows.map(({ id }) => id));
    return callIds.map((id) => told.has(id));
  }

  private async writeAll(deliveries: NewDelivery[]): Promise<number[]> {
    const rows: { id: number; event_key: string; channel: string }[] = await this.db.query(
      `WITH given AS (
         SELECT * FROM json_to_recordset($1::json) AS given (event_key text, channel text, event text,
           webhook_id text, account_id int, assistant_id int, call_id int, test boolean, url text, receiver text,
           body text)),
       added AS (
         INSERT INTO webhook_deliveries (event_key, channel, event, webhook_id, account_id, assistant_id, call_id,
           test, url, receiver, body)
         SELECT * FROM given ON CONFLICT (event_key, channel) DO NOTHING RETURNING id, event_key, channel)
       SELECT * FROM added
       UNION ALL
       SELECT id, event_key, channel FROM webhook_deliveries JOIN given USING (event_key, channel)`,
      [JSON.stringify(deliveries.map(toRow))],
    );
    const ids = new Map(rows.map(({ id, event_key, channel }) => [`${event_key} ${channel}`, id]));
    return deliveries.map(({ eventKey, channel }) => {
      const id = ids.get(`${eventKey} ${channel}`);
      if (id === undefined) throw new Error(`the delivery of ${eventKey} was neither written nor found`);
      return id;
    });
  }
}

const toRow = ({ payload, ...delivery }: NewDelivery) => ({
  event_key: delivery.eventKey,
  channel: delivery.channel,
  event: delivery.event,
  webhook_id: newWebhookId(),
  account_id: delivery.accountId,
  assistant_id: delivery.assistantId,
  call_id: delivery.callId,
  test: delivery.test,
  url: delivery.url,
  receiver: receiverOf(delivery.accountId, delivery.url),
  body: JSON.stringify(payload),
});
