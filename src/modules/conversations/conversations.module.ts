import { Module } from '@nestjs/common';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { TelephonyModule } from '../telephony/telephony.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { CallConversations } from './call-conversations.service.js';
import { CallEvaluation } from './call-evaluation.service.js';
import { CarrierRecords } from './carrier-records.service.js';
import { Clock, SystemClock } from './engine/clock.js';
import { Evaluator } from './evaluation/evaluator.js';
import { InboundCalls } from './inbound-calls.service.js';
import { LiveConversations } from './live-conversations.service.js';
import { LanguageModelSettings } from './llm/language-model-settings.js';
import { LanguageModel } from './llm/language-model.js';
import { OpenAiLanguageModel } from './llm/openai-language-model.js';
import { Voicemail } from './voicemail.service.js';
import { WrapUpListener } from './wrap-up.listener.js';
import { WrapUpProcessor } from './wrap-up.processor.js';

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
    { provide: LanguageModel, useClass: OpenAiLanguageModel },
    CallConversations,
    CallEvaluation,
    CarrierRecords,
    Evaluator,
    InboundCalls,
    LiveConversations,
    Voicemail,
    WrapUpListener,
    WrapUpProcessor,
  ],
})
export class ConversationsModule {}
