import { ApiProperty } from '@nestjs/swagger';
import { toDateTime } from '#src/common/time/time.js';
import type { SampleItem } from '../entities/sample-item.entity.js';

export class SampleItemResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty() name: string;
  @ApiProperty({ type: String, nullable: true }) note: string | null;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) created_at: string;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) updated_at: string;
}

export const toSampleItemResponse = (row: SampleItem): SampleItemResponse => ({
  id: row.id,
  name: row.name,
  note: row.note,
  created_at: toDateTime(row.createdAt),
  updated_at: toDateTime(row.updatedAt),
});
