import { ApiProperty } from '@nestjs/swagger';
import { toDateTime } from '#src/common/time/time.js';
import type { KnowledgeBase } from '../entities/knowledge.entities.js';
import {
  BASE_STATES,
  KNOWLEDGE_LANGUAGES,
  STATE_LABELS,
  type BaseState,
  type KnowledgeLanguage,
} from '../knowledge.types.js';

export class KnowledgeBaseResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty() name: string;
  @ApiProperty({ type: String, nullable: true }) description: string | null;
  @ApiProperty({ enum: KNOWLEDGE_LANGUAGES }) language: KnowledgeLanguage;
  @ApiProperty({
    enum: BASE_STATES,
    description: '`processing`: at least one document is; `failed`: all documents are.',
  })
  status: BaseState;
  @ApiProperty({ example: 'Active' }) status_label: string;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) created_at: string;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) updated_at: string;
}

export class CountedKnowledgeBaseResponse extends KnowledgeBaseResponse {
  @ApiProperty({ type: 'integer' }) documents_count: number;
  @ApiProperty({ type: 'integer', description: 'Assistants that answer from it.' }) assistants_count: number;
}

export const toKnowledgeBaseResponse = (row: KnowledgeBase): KnowledgeBaseResponse => ({
  id: row.id,
  name: row.name,
  description: row.description,
  language: row.language,
  status: row.state,
  status_label: STATE_LABELS[row.state],
  created_at: toDateTime(row.createdAt),
  updated_at: toDateTime(row.updatedAt),
});

export const toCountedKnowledgeBaseResponse = (row: KnowledgeBase): CountedKnowledgeBaseResponse => ({
  ...toKnowledgeBaseResponse(row),
  documents_count: row.documentsCount,
  assistants_count: row.assistantsCount,
});

export class KnowledgeBaseListResponse {
  @ApiProperty({ type: [CountedKnowledgeBaseResponse] }) data: CountedKnowledgeBaseResponse[];
}
