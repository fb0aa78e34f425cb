import { Injectable } from '@nestjs/common';
import { DataSource, In, type EntityManager } from 'typeorm';
import { WebhookDelivery } from './entities/webhook.entities.js';
import { callEventKeys } from './webhook.types.js';

/** The end of a conversation; see ChatWebhooksListener. */
export const conversationEventKey = (chatId: number): string => `conversation.ended:${chatId}`;

/** What deliveries are about. */
export interface DeliverySubjects {
  callIds?: readonly number[];
  chatIds?: readonly number[];
}

/** Reads and erases deliveries with their bodies and with what receivers answered. */
@Injectable()
export class WebhooksPersonalDataService {
  constructor(private readonly db: DataSource) {}

  /** No further attempt begins. @returns whether an attempt is running */
  async stop(subjects: DeliverySubjects): Promise<boolean> {
    const keys = eventKeys(subjects);
    await this.db.query(
      `UPDATE webhook_deliveries SET state = 'cancelled', reason = 'erased'
        WHERE event_key = ANY($1) AND state = 'pending'`,
      [keys],
    );
    const running: unknown[] = await this.db.query(
      `SELECT 1 FROM webhook_deliveries
        WHERE event_key = ANY($1) AND claims > attempts AND due_at > now() AND delivered_at IS NULL LIMIT 1`,
      [keys],
    );
    return running.length > 0;
  }

  /** @returns how many */
  async erase(tx: EntityManager, subjects: DeliverySubjects): Promise<number> {
    const { affected } = await tx.delete(WebhookDelivery, { eventKey: In(eventKeys(subjects)) });
    return affected ?? 0;
  }

  /** With their attempts. */
  read(subjects: DeliverySubjects): Promise<object[]> {
    return this.db.query(
      `SELECT id, event, channel, call_id, url, body, state, created_at, delivered_at,
              coalesce((SELECT json_agg(json_build_object('number', number, 'url', attempt.url, 'status_code', status_code,
                  'response_body', response_body, 'error', error, 'created_at', attempt.created_at) ORDER BY number)
                FROM webhook_attempts attempt WHERE attempt.delivery_id = delivery.id), '[]') AS attempts
         FROM webhook_deliveries delivery WHERE event_key = ANY($1) ORDER BY id`,
      [eventKeys(subjects)],
    );
  }
}

const eventKeys = ({ callIds = [], chatIds = [] }: DeliverySubjects): string[] => [
  ...callIds.flatMap(callEventKeys),
  ...chatIds.map(conversationEventKey),
];
