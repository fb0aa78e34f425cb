import { ApiProperty } from '@nestjs/swagger';
import { LEAD_STATUSES, type LeadStatus, type Variables } from '../lead.types.js';

/** Rendered by the database, see `leadJson`. */
export class SecondaryContactResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ example: '+15005550022' }) phone_number: string;
  @ApiProperty({ type: 'object', additionalProperties: true }) variables: Variables;
  @ApiProperty({ enum: LEAD_STATUSES }) status: LeadStatus;
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
