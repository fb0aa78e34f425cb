import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { drainSendLocks } from '#src/common/persistence/locks.js';
import { RuntimeSettings, runsJobs } from '#src/config/runtime-settings.js';
import { AssistantsService } from '../../assistants/assistants.service.js';
import { CHANNELS } from '../webhook.types.js';
import type { Channel } from './attempts.repository.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { OFF_REASON } from './delivery-outcome.js';
import { SendLocksService } from './send-locks.service.js';

export interface FailedReceiver extends Channel {
  url: string;
}

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
    // Rows that were claimed ahead. After the others are cancelled, whose reason it would change.
    await drainSendLocks(this.db.manager, assistantId);
    await this.db.query('DELETE FROM webhook_failures WHERE assistant_id = $1 AND channel = $2', [
      assistantId,
      channel,
    ]);
    this.logger.warn(`The ${channel} webhook of assistant ${assistantId} was switched off: ${reason}`);
  }

  /** Cancels deliveries at once, so that the log does not show them as pending. */
  private async cancelWhatIsOff(assistantId: number): Promise<void> {
    for (const channel of CHANNELS) {
      const target = await this.assistants.webhookTarget(assistantId, channel);
      if (!target) await this.rows.cancelAll(assistantId, channel, OFF_REASON);
    }
  }
}
