import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { WebhookChannel } from '../../assistants/assistant.types.js';

export interface Channel {
  assistantId: number;
  channel: WebhookChannel;
}

export interface FailedReceiver extends Channel {
  url: string;
}

const MAX_FAILING_DAYS = 5;
export const channelKey = ({ assistantId, channel }: Channel): string => `${assistantId} ${channel}`;

/** Tracks since when a channel's receiver has only failed. */
@Injectable()
export class ReceiverCircuitBreakerService {
  /** Resets channels after a success or when they are switched off. */
  async reset(tx: EntityManager, channels: Channel[]): Promise<void> {
    if (channels.length === 0) return;
    await tx.query(
      `DELETE FROM webhook_failures USING json_to_recordset($1::json) AS told ("assistantId" int, channel text)
        WHERE assistant_id = "assistantId" AND webhook_failures.channel = told.channel`,
      [JSON.stringify(channels)],
    );
  }

  /** @returns keys of the channels whose URL has failed for five days without a success between. */
  async failed(tx: EntityManager, receivers: FailedReceiver[]): Promise<Set<string>> {
    if (receivers.length === 0) return new Set();
    // In a fixed order, so that concurrent transactions do not deadlock.
    const distinct = new Map(receivers.map((receiver) => [channelKey(receiver), receiver]));
    const ordered = [...distinct].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, receiver]) => receiver);
    const hopeless: Channel[] = await tx.query(
      `WITH known AS (
         INSERT INTO webhook_failures AS known (assistant_id, channel, url)
         SELECT "assistantId", channel, url
           FROM json_to_recordset($1::json) AS told ("assistantId" int, channel text, url text)
         ON CONFLICT (assistant_id, channel) DO UPDATE SET url = excluded.url,
           since = CASE WHEN known.url = excluded.url THEN known.since ELSE now() END
         RETURNING assistant_id, channel, since)
       SELECT assistant_id AS "assistantId", channel FROM known WHERE since < now() - make_interval(days => $2)`,
      [JSON.stringify(ordered), MAX_FAILING_DAYS],
    );
    return new Set(hopeless.map(channelKey));
  }
}
