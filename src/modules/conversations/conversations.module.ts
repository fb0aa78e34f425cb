import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { KnowledgeModule } from '../knowledge/knowledge.module.js';
import { LeadsModule } from '../leads/leads.module.js';
import { LlmModule } from '../llm/llm.module.js';
import { SpeechModule } from '../speech/speech.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { TelephonyModule } from '../telephony/telephony.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AssistantFunctionsService } from './assistant-functions.service.js';
import { CallInstructionsService } from './call-instructions.service.js';
import { CallConversationsService } from './call-conversations.service.js';
import { CallSpeechService } from './call-speech.service.js';
import { ConversationMetricsService } from './conversation-metrics.service.js';
import { ConversationRecordsService } from './conversation-records.service.js';
import { Clock, SystemClock } from './engine/clock.js';
import { InboundCallsService } from './inbound-calls.service.js';
import { CarrierAnnouncementsService } from './carrier-announcements.service.js';
import { ConversationRunnerService } from './conversation-runner.service.js';
import { TransfersService } from './transfers.service.js';
import { VoicemailService } from './voicemail.service.js';

@Module({
  imports: [
    AccountsModule,
    AssistantsModule,
    CallsModule,
    KnowledgeModule,
    LeadsModule,
    LlmModule,
    SpeechModule,
    SuppressionsModule,
    TelephonyModule,
    WebhooksModule,
  ],
  providers: [
    { provide: Clock, useClass: SystemClock },
    AssistantFunctionsService,
    CallInstructionsService,
    CallConversationsService,
    CallSpeechService,
    ConversationMetricsService,
    ConversationRecordsService,
    InboundCallsService,
    CarrierAnnouncementsService,
    ConversationRunnerService,
    TransfersService,
    VoicemailService,
  ],
  exports: [CallSpeechService, ConversationRunnerService],
})
export class ConversationsModule {}
