import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { RuntimeSettings, runsJobs } from '#src/config/runtime-settings.js';
import type { WebhookChannel } from '../../assistants/assistant.types.js';
import { AssistantsService } from '../../assistants/assistants.service.js';
import { CHANNELS } from '../webhook.types.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { OFF_REASON } from './delivery-outcome.js';
import { SendLocksService } from './send-locks.service.js';

export interface Channel {
  assistantId: number;
  channel: WebhookChannel;
}

export interface FailedReceiver extends Channel {
  url: string;
}

const MAX_FAILING_DAYS = 5;
export const channelKey = ({ assistantId, channel }: Channel): string => `${assistantId} ${channel}`;

/** Switches off webhooks whose receiver only fails, and cancels the deliveries of webhooks that are off. */
@Injectable()
export class ReceiverCircuitBreakerService implements OnApplicationBootstrap {
  private readonly logger = new Logger(ReceiverCircuitBreakerService.name);

  constructor(
    private readonly settings: RuntimeSettings,
    private readonly db: DataSource,
    private readonly rows: DeliveriesRepository,
    private readonly assistants: AssistantsService,
    private readonly sendLocks: SendLocksService,
  ) {}

  onApplicationBootstrap(): void {
    if (!runsJobs(this.settings)) return;
    this.sendLocks.onStop((assistantId) => {
      const later = `Deliveries of assistant ${assistantId} are cancelled when they are due`;
      this.cancelWhatIsOff(assistantId).catch(() => this.logger.warn(later));
    });
    // The service starts without it: the first delivery tries again.
    this.sendLocks.connect().catch(() => undefined);
  }

  /** Not when the user has changed the URL meanwhile. */
  async switchOff({ assistantId, channel, url }: FailedReceiver, reason: string): Promise<void> {
    await this.assistants.clearWebhook(assistantId, channel, url);
    if (await this.assistants.webhookTarget(assistantId, channel)) return;
    await this.rows.cancelAll(assistantId, channel, reason);
    await this.reset(this.db.manager, [{ assistantId, channel }]);
    this.logger.warn(`The ${channel} webhook of assistant ${assistantId} was switched off: ${reason}`);
  }

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

  /** Cancels deliveries at once, so that the log does not show them as pending. */
  private async cancelWhatIsOff(assistantId: number): Promise<void> {
    for (const channel of CHANNELS) {
      const target = await this.assistants.webhookTarget(assistantId, channel);
      if (!target) await this.rows.cancelAll(assistantId, channel, OFF_REASON);
    }
  }
}
