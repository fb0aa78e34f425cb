import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { ToolsModule } from '../tools/tools.module.js';
import { AssistantInputService } from './assistant-input.service.js';
import { AssistantEditorService } from './assistant-editor.service.js';
import { AssistantListsController } from './assistant-lists.controller.js';
import { AssistantWebhooksController } from './assistant-webhooks.controller.js';
import { AssistantsRepository } from './assistants.repository.js';
import { AssistantTextsService } from './assistant-texts.service.js';
import { AssistantsController } from './assistants.controller.js';
import { AssistantsService } from './assistants.service.js';
import { Assistant } from './entities/assistant.entity.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Assistant]),
    AccountsModule,
    CatalogModule,
    PhoneNumbersModule,
    ToolsModule,
  ],
  controllers: [AssistantsController, AssistantListsController, AssistantWebhooksController],
  providers: [
    AssistantsService,
    AssistantEditorService,
    AssistantInputService,
    AssistantsRepository,
    AssistantTextsService,
  ],
  exports: [AssistantsService],
})
export class AssistantsModule {}
