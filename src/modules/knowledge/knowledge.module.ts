import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { RetentionModule } from '../retention/retention.module.js';
import { AssistantKnowledgeService } from './assistant-knowledge.service.js';
import { DocumentsController } from './documents.controller.js';
import { DocumentsService } from './documents.service.js';
import {
  KnowledgeBase,
  KnowledgeChunk,
  KnowledgeDocument,
  KnowledgeFile,
  KnowledgeTerm,
} from './entities/knowledge.entities.js';
import { UnansweredQuestion } from './entities/unanswered-question.entity.js';
import { KnowledgeVectorIndex, KnowledgeVectors } from './entities/knowledge-vectors.entities.js';
import { EmbeddingsService } from './embeddings/embeddings.service.js';
import { VectorIndexProcessor } from './embeddings/vector-index.processor.js';
import { VectorIndexesRepository } from './embeddings/vector-indexes.repository.js';
import { VectorsRepository } from './embeddings/vectors.repository.js';
import { DocumentProcessor } from './ingestion/document.processor.js';
import { DocumentReaderService } from './ingestion/document-reader.service.js';
import { IngestionRepository } from './ingestion/ingestion.repository.js';
import { TextExtractorService } from './extraction/text-extractor.service.js';
import { KnowledgeBasesController } from './knowledge-bases.controller.js';
import { KnowledgeBasesService } from './knowledge-bases.service.js';
import { KnowledgeRetentionService } from './knowledge-retention.service.js';
import { UnansweredQuestionsService } from './unanswered-questions.service.js';
import { KnowledgeSearchService } from './retrieval/knowledge-search.service.js';
import { PostingsRepository } from './retrieval/postings.repository.js';
import { WebsiteReaderService } from './website/website-reader.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([
      KnowledgeBase,
      KnowledgeDocument,
      KnowledgeFile,
      KnowledgeChunk,
      KnowledgeTerm,
      UnansweredQuestion,
      KnowledgeVectorIndex,
      KnowledgeVectors,
    ]),
    AccountsModule,
    RetentionModule,
  ],
  controllers: [KnowledgeBasesController, DocumentsController],
  providers: [
    KnowledgeBasesService,
    DocumentsService,
    DocumentProcessor,
    DocumentReaderService,
    IngestionRepository,
    TextExtractorService,
    WebsiteReaderService,
    KnowledgeSearchService,
    PostingsRepository,
    EmbeddingsService,
    VectorIndexesRepository,
    VectorIndexProcessor,
    VectorsRepository,
    UnansweredQuestionsService,
    AssistantKnowledgeService,
    KnowledgeRetentionService,
  ],
  exports: [AssistantKnowledgeService, UnansweredQuestionsService],
})
export class KnowledgeModule {}
