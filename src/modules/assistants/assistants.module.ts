import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { GroupsModule } from '../groups/groups.module.js';
import { KnowledgeModule } from '../knowledge/knowledge.module.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { ToolsModule } from '../tools/tools.module.js';
import { AccountWebhooksService } from './account-webhooks.service.js';
import { AssistantNumbersListener } from './assistant-numbers.listener.js';
import { AssistantModelsService } from './assistant-models.service.js';
import { AssistantReferencesService } from './assistant-references.service.js';
import { AssistantsRepository } from './assistants.repository.js';
import { AssistantTextsService } from './assistant-texts.service.js';
import { AssistantsController } from './assistants.controller.js';
import { AssistantsService } from './assistants.service.js';
import { Assistant } from './entities/assistant.entity.js';
import { AssistantLabel, AssistantTool } from './entities/assistant-links.entities.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Assistant, AssistantLabel, AssistantTool]),
    AccountsModule,
    CatalogModule,
    GroupsModule,
    KnowledgeModule,
    PhoneNumbersModule,
    ToolsModule,
  ],
  controllers: [AssistantsController],
  providers: [
    AccountWebhooksService,
    AssistantsService,
    AssistantModelsService,
    AssistantReferencesService,
    AssistantsRepository,
    AssistantTextsService,
    AssistantNumbersListener,
  ],
  exports: [AccountWebhooksService, AssistantsService, AssistantModelsService],
})
export class AssistantsModule {}
