import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AssistantsService } from '../../assistants/assistants.service.js';
import { DeliveriesRepository, type Channel } from './deliveries.repository.js';

export interface FailedReceiver extends Channel {
  accountId: number;
  url: string;
}

/** Switches off webhooks whose receiver only fails. */
@Injectable()
export class ReceiverCircuitBreakerService {
  private readonly logger = new Logger(ReceiverCircuitBreakerService.name);

  constructor(
    private readonly db: DataSource,
    private readonly rows: DeliveriesRepository,
    private readonly assistants: AssistantsService,
  ) {}

  /** Not when the user has changed the URL meanwhile. */
  async switchOff({ accountId, url, ...receiver }: FailedReceiver, reason: string): Promise<void> {
    const { assistantId, channel } = receiver;
    await this.assistants.clearWebhook(assistantId, channel, url);
    if (await this.assistants.webhookTarget(assistantId, channel)) return;
    await this.rows.cancelAll(accountId, receiver, reason);
    await this.db.query('DELETE FROM webhook_failures WHERE assistant_id = $1 AND channel = $2', [
      assistantId,
      channel,
    ]);
    this.logger.warn(`The ${channel} webhook of assistant ${assistantId} was switched off: ${reason}`);
  }
}
