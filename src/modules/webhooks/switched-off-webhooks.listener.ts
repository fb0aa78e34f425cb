import { Injectable } from '@nestjs/common';
import { type DomainEvent, OnDomainEvent } from '#src/events/event-type.js';
import { WebhooksRedirected } from '../assistants/assistant-events.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { DeliveriesRepository } from './delivery/deliveries.repository.js';
import { OFF_REASON } from './delivery/delivery-outcome.js';
import { CHANNELS } from './webhook.types.js';

type RedirectedEvent = DomainEvent<{ assistantId: number; accountId: number }>;

/** Cancels deliveries of webhooks that are off at once, so that the log does not show them as pending. */
@Injectable()
export class SwitchedOffWebhooksListener {
  constructor(
    private readonly assistants: AssistantsService,
    private readonly rows: DeliveriesRepository,
  ) {}

  @OnDomainEvent(WebhooksRedirected)
  async onRedirected({ payload: { assistantId, accountId } }: RedirectedEvent): Promise<void> {
    const webhooks = await this.assistants.webhooksOf(assistantId);
    for (const channel of CHANNELS) {
      if (webhooks?.urls[channel]) continue;
      await this.rows.cancelAll(accountId, { assistantId, channel }, OFF_REASON);
    }
  }
}
