import { Module } from '@nestjs/common';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { ChatModelCatalog, LanguageModel, LanguageModelSettings } from './language-model.js';
import { ModelMetricsService } from './model-metrics.service.js';
import { OpenAiLanguageModelService } from './openai-language-model.service.js';

const chatModelCatalog = (catalog: CatalogService): ChatModelCatalog => ({
  findChatModel: async (name) => {
    const model = (await catalog.getCatalog()).textModel(name);
    return {
      code: model?.code ?? model?.name ?? name,
      ...(model && { catalogName: model.name }),
      endpoint: model?.endpoint ?? null,
      takesTemperature: model?.takesTemperature ?? true,
      outputLimitField: model?.outputLimitField ?? 'max_tokens',
      reasoningEffort: model?.reasoningEffort ?? null,
    };
  },
});

/** The language models of conversations and evaluations. */
@Module({
  imports: [CatalogModule],
  providers: [
    {
      provide: LanguageModelSettings,
      inject: [RuntimeSettings],
      useFactory: ({ model }: RuntimeSettings): LanguageModelSettings => model,
    },
    ModelMetricsService,
    { provide: ChatModelCatalog, inject: [CatalogService], useFactory: chatModelCatalog },
    { provide: LanguageModel, useClass: OpenAiLanguageModelService },
  ],
  exports: [LanguageModel, LanguageModelSettings],
})
export class LlmModule {}
