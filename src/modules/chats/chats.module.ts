import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { LedgerAuditService } from '../accounts/ledger-audit.service.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { AssistantFunctionsService } from '../conversations/assistant-functions.service.js';
import { Clock, SystemClock } from '../conversations/engine/clock.js';
import { KnowledgeModule } from '../knowledge/knowledge.module.js';
import { LlmModule } from '../llm/llm.module.js';
import { RetentionModule } from '../retention/retention.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { ChatAccessGuard } from './chat-access.guard.js';
import { ChatResponsesService } from './chat-responses.service.js';
import { CHAT_LEDGER_SOURCE, ChatChargesService } from './chat-charges.service.js';
import { ChatEndProcessor } from './chat-end.processor.js';
import { ChatEndsRepository } from './chat-ends.repository.js';
import { ChatAiController } from './chat-ai.controller.js';
import { ChatListController } from './chat-list.controller.js';
import { ChatListService } from './chat-list.service.js';
import { ChatRepliesController } from './chat-replies.controller.js';
import { ChatRepliesService } from './chat-replies.service.js';
import { ChatReplyInterceptor } from './chat-reply.interceptor.js';
import { ChatRetentionService } from './chat-retention.service.js';
import { ChatsPersonalDataService } from './chats-personal-data.service.js';
import { ChatTurnProcessor } from './chat-turn.processor.js';
import { ChatTurnsRepository } from './chat-turns.repository.js';
import { ChatTurnsService } from './chat-turns.service.js';
import { ChatWebhooksListener } from './chat-webhooks.listener.js';
import { ChatsController } from './chats.controller.js';
import { ChatsRepository } from './chats.repository.js';
import { ChatsService } from './chats.service.js';
import { Chat, ChatTurn } from './entities/chat.entities.js';
import { WhatsappController } from './whatsapp.controller.js';
import { WhatsappService } from './whatsapp.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Chat, ChatTurn]),
    AccountsModule,
    AssistantsModule,
    CallsModule,
    KnowledgeModule,
    LlmModule,
    RetentionModule,
    WebhooksModule,
  ],
  controllers: [
    ChatListController,
    ChatsController,
    ChatAiController,
    ChatRepliesController,
    WhatsappController,
  ],
  providers: [
    AssistantFunctionsService,
    { provide: Clock, useClass: SystemClock },
    ChatAccessGuard,
    ChatResponsesService,
    ChatChargesService,
    ChatEndProcessor,
    ChatEndsRepository,
    ChatListService,
    ChatRepliesService,
    ChatReplyInterceptor,
    ChatRetentionService,
    ChatTurnProcessor,
    ChatTurnsRepository,
    ChatTurnsService,
    ChatWebhooksListener,
    ChatsPersonalDataService,
    ChatsRepository,
    ChatsService,
    WhatsappService,
  ],
  exports: [ChatsPersonalDataService],
})
export class ChatsModule {
  constructor(audit: LedgerAuditService) {
    audit.registerSource(CHAT_LEDGER_SOURCE);
  }
}
