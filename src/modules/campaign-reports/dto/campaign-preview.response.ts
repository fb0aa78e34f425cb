import { ApiProperty } from '@nestjs/swagger';
import { CAMPAIGN_STATUSES, type CampaignStatus } from '#src/modules/campaigns/campaign.types.js';
import { DIAL_OBSTACLES, type DialObstacle } from '#src/modules/dialer/dial-obstacles.js';
import { LEAD_STATUSES, type LeadStatus } from '#src/modules/leads/lead.types.js';
import { MAX_PREVIEW } from './campaign-preview.dto.js';

/** Why a lead would not be called now. */
export const WAIT_REASONS = [
  ...DIAL_OBSTACLES,
  'due_later',
  'window',
  'number_limit',
  'in_call',
  'no_timezone',
  'suppressed',
  'destination_not_allowed',
  'no_number_left',
  'not_queued',
] as const;

export type WaitReason = (typeof WAIT_REASONS)[number];

const OBSTACLE_TEXT =
  '`not_in_progress`; `assistant_inactive`, `assistant_deleted`, `no_phone_number`, `balance`: it stops by itself; ' +
  '`carrier`: the carrier takes no calls for now; `balance_held`: running calls hold what is left of the balance; ' +
  '`spend_limit`: the hourly limit of the account, or of the API key that started it, is reached; it goes on in the next hour; ' +
  '`no_free_slot`: as many calls are running as the campaign or the plan allows';

export class PreviewedLeadResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ enum: LEAD_STATUSES }) status: LeadStatus;
  @ApiProperty({ description: 'The number that would be called: that of the lead or of a contact.' })
  phone_number: string;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Null: the number is that of the lead itself.',
  })
  contact_id: number | null;
  @ApiProperty({
    type: 'integer',
    description: 'Calls to that number since the lead was put into the queue.',
  })
  attempts: number;
  @ApiProperty({ description: 'Whether it would be called now.' }) would_be_dialled: boolean;
  @ApiProperty({
    enum: WAIT_REASONS,
    nullable: true,
    description:
      'Why it would not be called: `due_later`: a retry or an appointment; `window`: closed in the time zone of the number; ' +
      '`number_limit`: called too often; `in_call`: the lead or its number is in a call; `no_number_left`: all are ' +
      'exhausted; `not_queued`: it waits for no call. Else the reason is that of the campaign (`reason` above) or ' +
      '`no_free_slot`: leads before it take the free slots.',
  })
  reason: WaitReason | null;
  @ApiProperty({
    type: String,
    nullable: true,
    example: '2026-01-31 09:30:00',
    description: 'Until when (UTC); null: not known, or for good.',
  })
  until: string | null;
}

export class CampaignPreviewResponse {
  @ApiProperty({ type: 'integer' }) campaign_id: number;
  @ApiProperty({ enum: CAMPAIGN_STATUSES }) status: CampaignStatus;
  @ApiProperty({
    enum: DIAL_OBSTACLES,
    nullable: true,
    description: `Why the campaign would place no call now. ${OBSTACLE_TEXT}.`,
  })
  reason: DialObstacle | null;
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Calls that the campaign may begin now.' })
  free_slots: number;
  @ApiProperty({
    type: String,
    nullable: true,
    example: '2026-01-31 09:30:00',
    description:
      'When the first of these leads may be called (UTC). Null: not known, or the campaign would place no call.',
  })
  next_call_at: string | null;
  @ApiProperty({
    type: [PreviewedLeadResponse],
    maxItems: MAX_PREVIEW,
    description: 'Main leads that wait for a call, in the order in which they may be called.',
  })
  leads: PreviewedLeadResponse[];
}
