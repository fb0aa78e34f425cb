import { ApiProperty } from '@nestjs/swagger';
import { toDateTime } from '#src/common/time/time.js';
import {
  SUPPRESSION_SOURCES,
  type Suppression,
  type SuppressionSource,
} from '../entities/suppression.entity.js';

/** In place of a number of which only the hash is kept. */
const ERASED = 'erased';

export class SuppressionResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({
    example: '+15005550020',
    description: '`erased`: only a hash of the number is kept, after an erasure.',
  })
  phone_number: string;
  @ApiProperty({ type: String, nullable: true }) reason: string | null;
  @ApiProperty({ enum: SUPPRESSION_SOURCES }) source: SuppressionSource;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) created_at: string;
}

export const toSuppressionResponse = (suppression: Suppression): SuppressionResponse => ({
  id: suppression.id,
  phone_number: suppression.phoneNumber ?? ERASED,
  reason: suppression.reason,
  source: suppression.source,
  created_at: toDateTime(suppression.createdAt),
});
