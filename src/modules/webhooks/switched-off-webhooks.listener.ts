import { Injectable } from '@nestjs/common';
import { type DomainEvent, OnDomainEvent } from '#src/events/event-type.js';
import { WebhooksRedirected } from '../assistants/assistant-events.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { DeliveriesRepository } from './delivery/deliveries.repository.js';
import { SWITCHED_OFF_REASON } from './delivery/delivery-outcome.js';
import { WEBHOOK_CHANNELS } from './webhook.types.js';

type WebhooksRedirectedEvent = DomainEvent<{ assistantId: number; accountId: number }>;

/** Cancels deliveries of webhooks that are off at once, so that the log does not show them as pending. */
@Injectable()
export class SwitchedOffWebhooksListener {
  constructor(
    private readonly assistants: AssistantsService,
    private readonly deliveries: DeliveriesRepository,
  ) {}

  @OnDomainEvent(WebhooksRedirected)
  async onWebhooksRedirected({
    payload: { assistantId, accountId },
  }: WebhooksRedirectedEvent): Promise<void> {
    const webhooks = await this.assistants.webhooksOf(assistantId);
    for (const channel of WEBHOOK_CHANNELS) {
      if (webhooks?.urls[channel]) continue;
      await this.deliveries.cancelChannel(accountId, { assistantId, channel }, SWITCHED_OFF_REASON);
    }
  }
}
