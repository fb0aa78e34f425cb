import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogController } from './catalog.controller.js';
import { CatalogService } from './catalog.service.js';
import { CatalogueAdminService } from './catalogue-admin.service.js';
import { LanguageModel, Language, SpeechProvider, Voice } from './entities/catalog.entities.js';

@Module({
  imports: [TypeOrmModule.forFeature([Language, LanguageModel, SpeechProvider, Voice])],
  controllers: [CatalogController],
  providers: [CatalogService, CatalogueAdminService],
  exports: [CatalogService, CatalogueAdminService],
})
export class CatalogModule {}
