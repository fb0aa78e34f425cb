import { ApiProperty } from '@nestjs/swagger';
import { pageQuery } from '#src/http/pagination/page.js';
import { toDateTime } from '#src/common/time/time.js';
import type { UnansweredQuestion } from '../entities/unanswered-question.entity.js';

export class ListUnansweredDto extends pageQuery() {}

export class UnansweredResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ description: 'In the words of the assistant that searched.' }) question: string;
  @ApiProperty({ type: 'integer' }) times_asked: number;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) first_asked_at: string;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) last_asked_at: string;
}

export const toUnansweredResponse = (row: UnansweredQuestion): UnansweredResponse => ({
  id: row.id,
  question: row.question,
  times_asked: row.times,
  first_asked_at: toDateTime(row.createdAt),
  last_asked_at: toDateTime(row.lastAskedAt),
});
