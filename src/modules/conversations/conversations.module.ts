import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { LeadsModule } from '../leads/leads.module.js';
import { LlmModule } from '../llm/llm.module.js';
import { SpeechModule } from '../speech/speech.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { TelephonyModule } from '../telephony/telephony.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AnswerPlansService } from './answer-plans.service.js';
import { CallConversationsService } from './call-conversations.service.js';
import { CallVoicesService } from './call-voices.service.js';
import { ConversationMetricsService } from './conversation-metrics.service.js';
import { ConversationRecordsService } from './conversation-records.service.js';
import { Clock, SystemClock } from './engine/clock.js';
import { InboundCallsService } from './inbound-calls.service.js';
import { LastWordsService } from './last-words.service.js';
import { LiveConversationsService } from './live-conversations.service.js';
import { TransfersService } from './transfers.service.js';
import { VoicemailService } from './voicemail.service.js';

@Module({
  imports: [
    AccountsModule,
    AssistantsModule,
    CallsModule,
    LeadsModule,
    LlmModule,
    SpeechModule,
    SuppressionsModule,
    TelephonyModule,
    WebhooksModule,
  ],
  providers: [
    { provide: Clock, useClass: SystemClock },
    AnswerPlansService,
    CallConversationsService,
    CallVoicesService,
    ConversationMetricsService,
    ConversationRecordsService,
    InboundCallsService,
    LastWordsService,
    LiveConversationsService,
    TransfersService,
    VoicemailService,
  ],
  exports: [CallVoicesService, LiveConversationsService],
})
export class ConversationsModule {}
