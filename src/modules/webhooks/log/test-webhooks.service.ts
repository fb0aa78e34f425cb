import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import { AssistantsService } from '../../assistants/assistants.service.js';
import { DeliveryProcessor } from '../delivery/delivery.processor.js';
import { NewDeliveriesService } from '../delivery/new-deliveries.service.js';
import { toTestCallPayload } from '../call-payload.js';
import { toTestConversationPayload } from '../conversation-payload.js';
import { AssistantNotFound } from '../../assistants/assistants.errors.js';
import { NoWebhook } from '../webhooks.errors.js';
import type { DeliveryDetailResponse } from './dto/delivery.response.js';
import type { TestWebhookDto } from './dto/webhook-log.dto.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';

/** Sends one example delivery to an assistant's webhook, by the same path as real deliveries. */
@Injectable()
export class TestWebhooksService {
  constructor(
    private readonly assistants: AssistantsService,
    private readonly deliveries: NewDeliveriesService,
    private readonly processor: DeliveryProcessor,
    private readonly log: WebhookDeliveriesService,
    private readonly audit: AuditService,
  ) {}

  /** Ends when the receiver has answered or failed to (15 s); still `pending` when no slot was free. */
  async sendTestWebhook(
    userId: number,
    { assistant_id, channel }: TestWebhookDto,
  ): Promise<DeliveryDetailResponse> {
    const assistant = await this.assistants.assistantView(userId, assistant_id);
    if (!assistant) throw new AssistantNotFound();
    const target = await this.assistants.webhookTarget(assistant.id, channel);
    if (!target) throw new NoWebhook();
    const details = { assistant_id: assistant.id, channel };
    await this.audit.change(async (_tx, record) =>
      record({ accountId: userId, action: 'delivery.test', details }),
    );
    const id = await this.deliveries.insertDelivery({
      eventKey: `test:${randomUUID()}`,
      channel,
      event: channel === 'conversation' ? 'conversation.ended' : 'call.completed',
      accountId: userId,
      assistantId: assistant.id,
      callId: null,
      test: true,
      url: target.url,
      payload: (channel === 'conversation' ? toTestConversationPayload : toTestCallPayload)(
        assistant,
        new Date(),
      ),
    });
    await this.processor.process(String(id));
    return this.log.getDelivery(userId, id);
  }
}
