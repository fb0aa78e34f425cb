import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { toDateTime } from '#src/common/time/time.js';
import type { CampaignStats } from '../campaign-data-registry.service.js';
import {
  CAMPAIGN_STATUSES,
  STOP_REASONS,
  QUIET_HOURS,
  WEEKDAYS,
  type CampaignStatus,
  type CampaignWindow,
  type QuietHours,
  type StopReason,
  type Weekday,
} from '../campaign.types.js';
import type { Campaign } from '../entities/campaign.entity.js';

/** Why a campaign in progress places no calls for now. */
const PAUSED_REASONS = ['carrier'] as const;
export type PausedReason = (typeof PAUSED_REASONS)[number];

export class CampaignWindowResponse implements CampaignWindow {
  @ApiProperty({ enum: WEEKDAYS, isArray: true }) days: Weekday[];
  @ApiProperty({ example: '09:00' }) start: string;
  @ApiProperty({ example: '12:30' }) end: string;
}

const counts = { type: 'object', additionalProperties: { type: 'integer' } } as const;

export class CampaignResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty() name: string;
  @ApiProperty({ enum: CAMPAIGN_STATUSES }) status: CampaignStatus;
  @ApiProperty({
    enum: STOP_REASONS,
    nullable: true,
    description: 'Why the campaign stopped by itself. Null when a person stopped it; starting clears it.',
  })
  stopped_reason: StopReason | null;
  @ApiProperty({
    enum: PAUSED_REASONS,
    nullable: true,
    description: '`carrier`: the carrier takes no calls for now. The campaign goes on by itself.',
  })
  paused_reason: PausedReason | null;
  @ApiProperty({
    type: String,
    nullable: true,
    example: '2026-01-31 17:30:00',
    description:
      'An estimate for a campaign in progress from the calls that ended in the last hour; null without one. It counts retries and the times at which leads are due, but neither calling hours nor contacts nor other campaigns.',
  })
  estimated_end_at: string | null;
  @ApiProperty({ type: 'integer' }) assistant_id: number;
  @ApiProperty({ example: 'Europe/Berlin' }) timezone: string;
  @ApiProperty({ type: 'integer' }) max_calls_in_parallel: number;
  @ApiProperty({ example: '09:00' }) allowed_hours_start_time: string;
  @ApiProperty({ example: '17:30' }) allowed_hours_end_time: string;
  @ApiProperty({ enum: WEEKDAYS, isArray: true }) allowed_days: Weekday[];
  @ApiProperty({
    type: [CampaignWindowResponse],
    description:
      'Not empty: they count in place of `allowed_hours_start_time`, `allowed_hours_end_time` and `allowed_days`.',
  })
  windows: CampaignWindow[];
  @ApiProperty({ description: 'Whether the window must be open in all possible time zones of a number.' })
  strict_timezones: boolean;
  @ApiProperty({
    enum: QUIET_HOURS,
    description:
      "`auto`: calls are also bound by the hours that the law of the number's country allows, where they are known.",
  })
  quiet_hours: QuietHours;
  @ApiProperty({ type: 'integer' }) max_retries: number;
  @ApiProperty({ type: 'integer', description: 'Minutes.' }) retry_interval: number;
  @ApiProperty() retry_on_voicemail: boolean;
  @ApiProperty() retry_on_goal_incomplete: boolean;
  @ApiProperty({ type: String, nullable: true }) goal_completion_variable: string | null;
  @ApiProperty() mark_complete_when_no_leads: boolean;
  @ApiProperty({ type: 'array', items: { type: 'integer' } }) phone_number_ids: number[];
  @ApiPropertyOptional({ ...counts, description: 'Main leads by status, in lists with `counts=true`.' })
  leads?: Record<string, number>;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) created_at: string;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) updated_at: string;
}

export class CampaignStatsResponse implements CampaignStats {
  @ApiProperty({ ...counts, description: 'Main leads by status.' }) leads: Record<string, number>;
  @ApiProperty({ ...counts, description: 'Calls by status.' }) calls: Record<string, number>;
  @ApiProperty({ ...counts, description: 'Attempts to hand calls over to people, by status.' })
  transfers: Record<string, number>;
  @ApiProperty({
    ...counts,
    description:
      'Calls in which it succeeded: `screening` (the call was screened), `keys` (keys were sent), `language` (the language was changed), `callback` (a callback was agreed), `voicemail` (an answering machine had the call).',
  })
  actions: Record<string, number>;
}

export class CampaignDetailsResponse extends CampaignResponse {
  @ApiProperty() stats: CampaignStatsResponse;
}

/** @param pausedReason of campaigns in progress */
export const toCampaignResponse = (
  campaign: Campaign,
  pausedReason: PausedReason | null,
  estimatedEnd?: Date,
): CampaignResponse => ({
  id: campaign.id,
  name: campaign.name,
  status: campaign.status,
  stopped_reason: campaign.stoppedReason,
  paused_reason: campaign.status === 'in-progress' ? pausedReason : null,
  estimated_end_at: estimatedEnd ? toDateTime(estimatedEnd) : null,
  assistant_id: campaign.assistantId,
  timezone: campaign.timezone,
  max_calls_in_parallel: campaign.maxCallsInParallel,
  allowed_hours_start_time: campaign.allowedHoursStartTime,
  allowed_hours_end_time: campaign.allowedHoursEndTime,
  allowed_days: campaign.allowedDays,
  windows: campaign.windows.map(({ days, start, end }) => ({ days, start, end })),
  strict_timezones: campaign.strictTimezones,
  quiet_hours: campaign.quietHours,
  max_retries: campaign.maxRetries,
  retry_interval: campaign.retryInterval,
  retry_on_voicemail: campaign.retryOnVoicemail,
  retry_on_goal_incomplete: campaign.retryOnGoalIncomplete,
  goal_completion_variable: campaign.goalCompletionVariable,
  mark_complete_when_no_leads: campaign.markCompleteWhenNoLeads,
  phone_number_ids: campaign.phoneNumberIds,
  created_at: toDateTime(campaign.createdAt),
  updated_at: toDateTime(campaign.updatedAt),
});
