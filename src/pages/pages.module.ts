import { Module, type DynamicModule } from '@nestjs/common';
import type { RuntimeSettings } from '#src/config/runtime-settings.js';
import { AssistantsModule } from '#src/modules/assistants/assistants.module.js';
import { ApiDocumentService } from './api-document.service.js';
import { ConsoleController } from './console.controller.js';
import { ConsoleFilesService } from './console-files.service.js';
import { DemoAssistantService } from './demo-assistant.service.js';
import { DocsController } from './docs.controller.js';
import { GuideController } from './guide.controller.js';
import { GuideFilesService } from './guide-files.service.js';
import { StartPageController } from './start-page.controller.js';
import { WidgetController } from './widget.controller.js';

/** What browsers open without a token. Its routes have no prefix: see `exclude` in `createApp`. */
@Module({})
export class PagesModule {
  static forRoot({ http }: Pick<RuntimeSettings, 'http'>): DynamicModule {
    return {
      module: PagesModule,
      imports: [AssistantsModule],
      controllers: [
        StartPageController,
        WidgetController,
        ...(http.docsEnabled ? [DocsController, GuideController] : []),
        ...(http.consoleEnabled ? [ConsoleController] : []),
      ],
      providers: [ApiDocumentService, ConsoleFilesService, DemoAssistantService, GuideFilesService],
    };
  }
}
