import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogController } from './catalog.controller.js';
import { CatalogService } from './catalog.service.js';
import { LanguageModel } from './entities/language-model.entity.js';
import { Language } from './entities/language.entity.js';
import { Voice } from './entities/voice.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([Language, LanguageModel, Voice])],
  controllers: [CatalogController],
  providers: [CatalogService],
  exports: [CatalogService],
})
export class CatalogModule {}
