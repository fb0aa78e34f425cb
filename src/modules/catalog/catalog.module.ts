import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogController } from './catalog.controller.js';
import { CatalogService } from './catalog.service.js';
import { CatalogueAdminService } from './catalogue-admin.service.js';
import { LanguageModelEntry, Language, SpeechProvider, Voice } from './entities/catalog.entities.js';

@Module({
  imports: [TypeOrmModule.forFeature([Language, LanguageModelEntry, SpeechProvider, Voice])],
  controllers: [CatalogController],
  providers: [CatalogService, CatalogueAdminService],
  exports: [CatalogService, CatalogueAdminService],
})
export class CatalogModule {}
