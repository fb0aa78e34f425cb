import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { WebhookChannel } from '../../assistants/assistant.types.js';

export interface Receiver {
  assistantId: number;
  channel: WebhookChannel;
  url: string;
}

const PATIENCE_DAYS = 5;

/** Since when a channel's receiver has had nothing but failures. */
@Injectable()
export class ReceiverHealth {
  async forget(tx: EntityManager, { assistantId, channel }: Omit<Receiver, 'url'>): Promise<void> {
    await tx.query(`DELETE FROM webhook_failures WHERE assistant_id = $1 AND channel = $2`, [
      assistantId,
      channel,
    ]);
  }

  /** @returns true when the same URL has failed for five days without a success between. */
  async failed(tx: EntityManager, { assistantId, channel, url }: Receiver): Promise<boolean> {
    const [row]: { hopeless: boolean }[] = await tx.query(
      `INSERT INTO webhook_failures AS known (assistant_id, channel, url) VALUES ($1, $2, $3)
       ON CONFLICT (assistant_id, channel) DO UPDATE SET url = $3,
         since = CASE WHEN known.url = $3 THEN known.since ELSE now() END
       RETURNING since < now() - make_interval(days => $4) AS hopeless`,
      [assistantId, channel, url, PATIENCE_DAYS],
    );
    return row?.hopeless ?? false;
  }
}
