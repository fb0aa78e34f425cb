import { ApiProperty } from '@nestjs/swagger';
import type { FoundChunk } from '../retrieval/knowledge-search.service.js';
import { ChunkResponse } from './chunk.response.js';

export class FoundChunkResponse extends ChunkResponse {
  @ApiProperty() document_name: string;
  @ApiProperty({ description: 'Higher is better; comparable within one search only.', example: 1.73 })
  score: number;
  @ApiProperty({
    description: 'How much of the query is in the passage, by the rarity of its words; 0–1.',
    example: 0.8,
  })
  coverage: number;
  @ApiProperty({
    type: [String],
    description: 'Words that were found, reduced to their stems, the rarest first.',
  })
  matched_words: string[];
}

export class SearchResponse {
  @ApiProperty({ type: [FoundChunkResponse], description: 'The best first.' }) data: FoundChunkResponse[];
}

export const toFoundChunkResponse = (found: FoundChunk): FoundChunkResponse => ({
  document_id: found.documentId,
  document_name: found.documentName,
  seq: found.seq,
  title: found.title,
  headings: found.headings,
  page: found.page,
  url: found.url,
  text: found.text,
  score: toDecimals(found.score),
  coverage: toDecimals(found.coverage),
  matched_words: found.words,
});

const toDecimals = (value: number): number => Number(value.toFixed(4));
