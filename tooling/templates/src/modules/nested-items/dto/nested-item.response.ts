import { ApiProperty } from '@nestjs/swagger';
import { toDateTime } from '#src/common/time/time.js';
import type { NestedItem } from '../entities/nested-item.entity.js';

export class NestedItemResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ type: 'integer' }) sample_item_id: number;
  @ApiProperty() name: string;
  @ApiProperty({ type: String, nullable: true }) note: string | null;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) created_at: string;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) updated_at: string;
}

export const toNestedItemResponse = (row: NestedItem): NestedItemResponse => ({
  id: row.id,
  sample_item_id: row.sampleItemId,
  name: row.name,
  note: row.note,
  created_at: toDateTime(row.createdAt),
  updated_at: toDateTime(row.updatedAt),
});
