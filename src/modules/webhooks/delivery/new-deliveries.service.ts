import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { JobQueue } from '#src/queue/job-queue.js';
import type { WebhookChannel } from '../../assistants/assistant.types.js';
import type { WebhookEvent } from '../webhook.types.js';
import { receiverOf } from './receiver.js';

export interface NewDelivery {
  /** What happened, once per channel: a repeated hand-over of the event finds its row. */
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

export const newWebhookId = (): string => `msg_${randomBytes(18).toString('base64url')}`;

/** Writes deliveries; the payload becomes text here, once. */
@Injectable()
export class NewDeliveries {
  constructor(
    private readonly db: DataSource,
    private readonly queue: JobQueue,
  ) {}

  /** Wakes a worker, also when the row stood there already: the hand-over that wrote it may have died before. */
  async add(delivery: NewDelivery): Promise<void> {
    this.queue.wake('webhook-delivery', await this.write(delivery));
  }

  /** @returns the row's id, whoever wrote it. */
  async write({ payload, ...delivery }: NewDelivery): Promise<number> {
    const [row]: { id: number }[] = await this.db.query(
      `WITH added AS (
         INSERT INTO webhook_deliveries
           (event_key, channel, event, webhook_id, account_id, assistant_id, call_id, test, url, receiver, body)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         ON CONFLICT (event_key, channel) DO NOTHING RETURNING id)
       SELECT id FROM added
       UNION ALL SELECT id FROM webhook_deliveries WHERE event_key = $1 AND channel = $2`,
      [
        delivery.eventKey,
        delivery.channel,
        delivery.event,
        newWebhookId(),
        delivery.accountId,
        delivery.assistantId,
        delivery.callId,
        delivery.test,
        delivery.url,
        receiverOf(delivery.accountId, delivery.url),
        JSON.stringify(payload),
      ],
    );
    if (!row) throw new Error(`the delivery of ${delivery.eventKey} was neither written nor found`);
    return row.id;
  }
}
