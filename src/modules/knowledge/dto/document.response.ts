import { ApiProperty } from '@nestjs/swagger';
import { toDateTime } from '#src/common/time/time.js';
import type { KnowledgeDocument } from '../entities/knowledge.entities.js';
import {
  DOCUMENT_STATES,
  DOCUMENT_TYPES,
  STATE_LABELS,
  TYPE_LABELS,
  type DocumentState,
  type DocumentType,
} from '../knowledge.types.js';

export class DocumentResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty() name: string;
  @ApiProperty({ type: String, nullable: true }) description: string | null;
  @ApiProperty({ enum: DOCUMENT_TYPES }) type: DocumentType;
  @ApiProperty({ example: 'Website' }) type_label: string;
  @ApiProperty({ enum: DOCUMENT_STATES }) status: DocumentState;
  @ApiProperty({ example: 'Processing' }) status_label: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why it has failed; null in other states.',
    example: 'The PDF has no text: it is scanned.',
  })
  failure_reason: string | null;
  @ApiProperty({ type: [String], description: 'Of a website.' }) links: string[];
  @ApiProperty({ type: 'integer', description: '0: it is no website.' }) relative_links_limit: number;
  @ApiProperty({ type: 'integer', description: "Bytes of the file, or of the website's text." })
  size: number;
  @ApiProperty({ type: 'integer', description: 'Passages that are searched.' }) chunks_count: number;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) created_at: string;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) updated_at: string;
}

export const toDocumentResponse = (row: KnowledgeDocument): DocumentResponse => ({
  id: row.id,
  name: row.name,
  description: row.description,
  type: row.type,
  type_label: TYPE_LABELS[row.type],
  status: row.state,
  status_label: STATE_LABELS[row.state],
  failure_reason: row.failure,
  links: row.links,
  relative_links_limit: row.relativeLinksLimit,
  size: row.sizeBytes,
  chunks_count: row.chunksCount,
  created_at: toDateTime(row.createdAt),
  updated_at: toDateTime(row.updatedAt),
});

export class DocumentListResponse {
  @ApiProperty({ type: [DocumentResponse] }) data: DocumentResponse[];
}
