import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AssistantsService } from '../../assistants/assistants.service.js';
import { DeliveriesRepository, type AssistantChannel } from './deliveries.repository.js';

export interface FailedReceiver extends AssistantChannel {
  accountId: number;
  url: string;
}

/** Switches off webhooks of failing receivers. */
@Injectable()
export class ReceiverCircuitBreakerService {
  private readonly logger = new Logger(ReceiverCircuitBreakerService.name);

  constructor(
    private readonly db: DataSource,
    private readonly rows: DeliveriesRepository,
    private readonly assistants: AssistantsService,
  ) {}

  /** Does nothing after a change of the URL. */
  async disableWebhook({ accountId, url, ...receiver }: FailedReceiver, reason: string): Promise<void> {
    const { assistantId, channel } = receiver;
    await this.assistants.clearWebhook(assistantId, channel, url);
    if (await this.assistants.webhookTarget(assistantId, channel)) return;
    await this.rows.cancelChannel(accountId, receiver, reason);
    await this.db.query('DELETE FROM webhook_failures WHERE assistant_id = $1 AND channel = $2', [
      assistantId,
      channel,
    ]);
    this.logger.warn(`The ${channel} webhook of assistant ${assistantId} was switched off: ${reason}`);
  }
}
