import { Module } from '@nestjs/common';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { TelephonyModule } from '../telephony/telephony.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { CallConversationsService } from './call-conversations.service.js';
import { CallEvaluationService, EvaluatorService } from '../calls/wrap-up/evaluation.service.js';
import { CarrierRecordsService } from '../calls/wrap-up/carrier-records.service.js';
import { Clock, SystemClock } from './engine/clock.js';
import { InboundCallsService } from './inbound-calls.service.js';
import { LiveConversationsService } from './live-conversations.service.js';
import { LanguageModelSettings, LanguageModel } from '../llm/language-model.js';
import { OpenAiLanguageModelService } from '../llm/openai-language-model.service.js';
import { VoicemailService } from './voicemail.service.js';
import { WrapUpListener } from '../calls/wrap-up/wrap-up.listener.js';
import { WrapUpProcessor } from '../calls/wrap-up/wrap-up.processor.js';

@Module({
  imports: [
    AccountsModule,
    AssistantsModule,
    CallsModule,
    SuppressionsModule,
    TelephonyModule,
    WebhooksModule,
  ],
  providers: [
    { provide: Clock, useClass: SystemClock },
    {
      provide: LanguageModelSettings,
      inject: [RuntimeSettings],
      useFactory: ({ model }: RuntimeSettings): LanguageModelSettings => model,
    },
    { provide: LanguageModel, useClass: OpenAiLanguageModelService },
    CallConversationsService,
    CallEvaluationService,
    CarrierRecordsService,
    EvaluatorService,
    InboundCallsService,
    LiveConversationsService,
    VoicemailService,
    WrapUpListener,
    WrapUpProcessor,
  ],
})
export class ConversationsModule {}
