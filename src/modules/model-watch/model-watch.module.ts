import { Module } from '@nestjs/common';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { CatalogWarningsService } from '../catalog/catalog-warnings.service.js';
import { ModelWatchService } from './model-watch.service.js';

/** Warns before models of assistants end. */
@Module({
  imports: [AssistantsModule, CatalogModule],
  // Not of CatalogModule, which commands load without events.
  providers: [CatalogWarningsService, ModelWatchService],
  exports: [CatalogWarningsService],
})
export class ModelWatchModule {}
