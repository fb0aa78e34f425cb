import { ApiProperty } from '@nestjs/swagger';
import { pageQuery } from '#src/http/pagination/page.js';
import { toDateTime } from '#src/common/time/time.js';

export class ListUnansweredDto extends pageQuery() {}

export class UnansweredResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ description: 'In the words of the assistant that searched.' }) question: string;
  @ApiProperty({ type: 'integer' }) times_asked: number;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) first_asked_at: string;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) last_asked_at: string;
}

/** The same question of all conversations of a base. */
export interface ListedQuestion {
  /** Of the first time. */
  id: number;
  question: string;
  times: number;
  firstAskedAt: Date;
  lastAskedAt: Date;
}

export const toUnansweredResponse = (row: ListedQuestion): UnansweredResponse => ({
  id: row.id,
  question: row.question,
  times_asked: row.times,
  first_asked_at: toDateTime(row.firstAskedAt),
  last_asked_at: toDateTime(row.lastAskedAt),
});
