import {
  LEAD_OUTCOMES,
  LEAD_STATUSES,
  type LeadOutcome,
  type LeadStatus,
  type Variables,
} from '../lead.types.js';
import { ApiProperty } from '@nestjs/swagger';

const LAST_OUTCOME =
  'What the last call came to, whichever number of the lead was called: `completed` (a person was reached), ' +
  '`goal_incomplete` (a person was reached, the goal was not), `opted_out`, `machine`, `busy`, `no-answer`, `failed`, ' +
  '`invalid_number` (the carrier reports that the number does not exist; it is not called again). Or why the lead ' +
  'cannot be called: `no_timezone`, `number_limit` (called too often), `suppressed`, `destination_not_allowed`; null ' +
  'before the first call and after a change of the number.';

/** Rendered by the database, see `leadJson`. */
export class SecondaryContactResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ example: '+15005550022' }) phone_number: string;
  @ApiProperty({ type: 'object', additionalProperties: true }) variables: Variables;
  @ApiProperty({ enum: LEAD_STATUSES }) status: LeadStatus;
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Calls to this number since the lead was last put into the queue.',
  })
  attempts: number;
  @ApiProperty({
    type: String,
    nullable: true,
    example: '2026-01-31 09:30:00',
    description:
      'When the lead is due again (UTC): of main leads that are `rescheduled` or `scheduled`, else null.',
  })
  next_attempt_at: string | null;
  @ApiProperty({
    enum: LEAD_OUTCOMES,
    nullable: true,
    description: LAST_OUTCOME,
  })
  last_outcome: LeadOutcome | null;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) created_at: string;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) updated_at: string;
}

class LeadCampaignResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty() name: string;
}

export class LeadResponse extends SecondaryContactResponse {
  @ApiProperty({ type: 'integer' }) campaign_id: number;
  @ApiProperty() campaign: LeadCampaignResponse;
  @ApiProperty({ type: [SecondaryContactResponse] }) secondary_contacts: SecondaryContactResponse[];
}
