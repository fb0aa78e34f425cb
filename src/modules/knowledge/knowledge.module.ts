import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { DocumentsController } from './documents.controller.js';
import { DocumentsService } from './documents.service.js';
import {
  KnowledgeBase,
  KnowledgeChunk,
  KnowledgeDocument,
  KnowledgeFile,
  KnowledgeTerm,
} from './entities/knowledge.entities.js';
import { DocumentProcessor } from './ingestion/document.processor.js';
import { DocumentReaderService } from './ingestion/document-reader.service.js';
import { IngestionRepository } from './ingestion/ingestion.repository.js';
import { KnowledgeBasesController } from './knowledge-bases.controller.js';
import { KnowledgeBasesService } from './knowledge-bases.service.js';
import { KnowledgeSearchService } from './retrieval/knowledge-search.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([
      KnowledgeBase,
      KnowledgeDocument,
      KnowledgeFile,
      KnowledgeChunk,
      KnowledgeTerm,
    ]),
    AccountsModule,
  ],
  controllers: [KnowledgeBasesController, DocumentsController],
  providers: [
    KnowledgeBasesService,
    DocumentsService,
    DocumentProcessor,
    DocumentReaderService,
    IngestionRepository,
    KnowledgeSearchService,
  ],
  exports: [KnowledgeBasesService],
})
export class KnowledgeModule {}
