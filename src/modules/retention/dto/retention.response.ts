import { ApiProperty } from '@nestjs/swagger';
import type { RetentionPolicy } from '../entities/retention-policy.entity.js';
import { MAX_RETENTION_DAYS } from '../retention-fields.js';

const DAYS = { type: 'integer', minimum: 1, maximum: MAX_RETENTION_DAYS, nullable: true } as const;

/** Null: kept for good; deliveries as long as `WEBHOOK_RETENTION_DAYS` says. */
export class RetentionResponse {
  @ApiProperty(DAYS) recordings_days: number | null;
  @ApiProperty(DAYS) transcripts_days: number | null;
  @ApiProperty(DAYS) variables_days: number | null;
  @ApiProperty(DAYS) conversations_days: number | null;
  @ApiProperty(DAYS) sms_days: number | null;
  @ApiProperty({ ...DAYS, description: 'Null: the setting `WEBHOOK_RETENTION_DAYS` alone counts.' })
  deliveries_days: number | null;
  @ApiProperty() mask_numbers: boolean;
}

/** @param policy null: the account has none */
export const toRetentionResponse = (policy: RetentionPolicy | null): RetentionResponse => ({
  recordings_days: policy?.recordingsDays ?? null,
  transcripts_days: policy?.transcriptsDays ?? null,
  variables_days: policy?.variablesDays ?? null,
  conversations_days: policy?.conversationsDays ?? null,
  sms_days: policy?.smsDays ?? null,
  deliveries_days: policy?.deliveriesDays ?? null,
  mask_numbers: policy?.maskNumbers ?? false,
});
