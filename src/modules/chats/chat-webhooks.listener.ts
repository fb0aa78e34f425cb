import { Injectable } from '@nestjs/common';
import { type DomainEvent, OnDomainEvent } from '#src/events/event-type.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { toConversationPayload } from '../webhooks/conversation-payload.js';
import { NewDeliveriesService } from '../webhooks/delivery/new-deliveries.service.js';
import { conversationEventKey } from '../webhooks/webhooks-personal-data.service.js';
import { ChatEnded } from './chat-events.js';
import { toMessages } from './chat-history.js';
import { ChatsRepository } from './chats.repository.js';

/** Creates a delivery for every chat that has ended, where the assistant has a URL for it. */
@Injectable()
export class ChatWebhooksListener {
  constructor(
    private readonly chats: ChatsRepository,
    private readonly assistants: AssistantsService,
    private readonly deliveries: NewDeliveriesService,
  ) {}

  @OnDomainEvent(ChatEnded)
  async onEnded({ payload }: DomainEvent<{ chatId: number; accountId: number }>): Promise<void> {
    const chat = await this.chats.findById(payload.chatId);
    const target = chat && (await this.assistants.webhookTarget(chat.assistantId, 'conversation'));
    if (!chat || !target) return;
    const messages = toMessages(await this.chats.listTurns(chat.id));
    const uuids = await this.assistants.findUuids([chat.assistantId]);
    await this.deliveries.createDelivery({
      eventKey: conversationEventKey(chat.id),
      channel: 'conversation',
      event: 'conversation.ended',
      accountId: chat.accountId,
      assistantId: chat.assistantId,
      callId: null,
      test: false,
      url: target.url,
      payload: toConversationPayload({ ...chat, assistantUuid: uuids.get(chat.assistantId) ?? '', messages }),
    });
  }
}
