import { Module } from '@nestjs/common';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { LanguageModel, LanguageModelSettings } from './language-model.js';
import { OpenAiLanguageModelService } from './openai-language-model.service.js';

/** The language model that conversations and evaluations ask. */
@Module({
  providers: [
    {
      provide: LanguageModelSettings,
      inject: [RuntimeSettings],
      useFactory: ({ model }: RuntimeSettings): LanguageModelSettings => model,
    },
    { provide: LanguageModel, useClass: OpenAiLanguageModelService },
  ],
  exports: [LanguageModel],
})
export class LlmModule {}
