import { ApiProperty, OmitType } from '@nestjs/swagger';
import { PERSONAL_DATA_KINDS } from '#src/common/personal-data.js';
import { toDateTime } from '#src/common/time/time.js';
import { JOB_STATUSES, type JobStatus, type PersonalDataJob } from '../entities/personal-data-job.entity.js';

const TIME = { example: '2026-01-31 09:30:00' };
const NULLABLE_TIME = { ...TIME, type: String, nullable: true };

export class ErasureResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ enum: JOB_STATUSES }) status: JobStatus;
  @ApiProperty({ example: '+*********23', description: 'Its last two digits.' }) phone_number: string;
  @ApiProperty() keep_suppressed: boolean;
  @ApiProperty({
    type: 'object',
    properties: Object.fromEntries(PERSONAL_DATA_KINDS.map((kind) => [kind, { type: 'integer' }])),
    additionalProperties: { type: 'integer' },
    description: 'How many of each kind up to now; a kind without any is absent.',
  })
  counts: Record<string, number>;
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'calls',
    description: 'What has to end before it goes on; null: nothing.',
  })
  waits_for: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'Why it failed.' }) error: string | null;
  @ApiProperty(TIME) created_at: string;
  @ApiProperty(NULLABLE_TIME) finished_at: string | null;
}

export class ExportResponse extends OmitType(ErasureResponse, ['keep_suppressed', 'waits_for']) {
  @ApiProperty({
    ...NULLABLE_TIME,
    description: 'Until then the archive can be read; null: not done, or no longer.',
  })
  expires_at: string | null;
}

export const toErasureResponse = (job: PersonalDataJob): ErasureResponse => ({
  ...common(job),
  keep_suppressed: job.keepSuppressed,
  waits_for: job.waitsFor,
});

export const toExportResponse = (job: PersonalDataJob): ExportResponse => ({
  ...common(job),
  expires_at: job.phoneNumber === null ? null : job.expiresAt && toDateTime(job.expiresAt),
});

const common = (job: PersonalDataJob) => ({
  id: job.id,
  status: job.status,
  phone_number: job.maskedNumber,
  counts: job.counts as Record<string, number>,
  error: job.error,
  created_at: toDateTime(job.createdAt),
  finished_at: job.finishedAt && toDateTime(job.finishedAt),
});
