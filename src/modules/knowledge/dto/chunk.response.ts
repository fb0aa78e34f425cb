import { ApiProperty } from '@nestjs/swagger';
import type { KnowledgeChunk } from '../entities/knowledge.entities.js';

/** A passage and where it stands. */
export class ChunkResponse {
  @ApiProperty({ type: 'integer' }) document_id: number;
  @ApiProperty({ type: 'integer', description: 'In reading order, from 1.' }) seq: number;
  @ApiProperty({ type: String, nullable: true, description: 'Of the page or the document.' })
  title: string | null;
  @ApiProperty({ type: [String], description: 'Headings above it, outermost first.' }) headings: string[];
  @ApiProperty({ type: 'integer', nullable: true, description: 'From 1; null: the document has no pages.' })
  page: number | null;
  @ApiProperty({ type: String, nullable: true, description: "Of the website's page." }) url: string | null;
  @ApiProperty() text: string;
}

export const toChunkResponse = (row: Omit<KnowledgeChunk, 'search' | 'knowledgeBaseId'>): ChunkResponse => ({
  document_id: row.documentId,
  seq: row.seq,
  title: row.title,
  headings: row.headings,
  page: row.page,
  url: row.url,
  text: row.text,
});
