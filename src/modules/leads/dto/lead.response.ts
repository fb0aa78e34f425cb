import { MAX_PAGE, MAX_PER_PAGE } from '#src/common/pagination/page.js';
import { EnumField, IdField, IntegerField, PhoneField } from '#src/common/validation/fields.js';
import { LEAD_STATUSES, type LeadStatus, type Variables } from '../lead.types.js';
import { ApiProperty } from '@nestjs/swagger';

export const DEFAULT_PER_PAGE = 15;

/** With `page` or `per_page` the answer is one page in the envelope, without them the bare array of all. */
export class ListLeadsDto {
  @IntegerField({ min: 1, max: MAX_PAGE, required: false, description: 'Page number.' })
  page?: number;

  @IntegerField({
    min: 1,
    max: MAX_PER_PAGE,
    required: false,
    description: `Page size, ${DEFAULT_PER_PAGE} if absent.`,
  })
  per_page?: number;

  @EnumField(LEAD_STATUSES, { required: false })
  status?: LeadStatus;

  @IdField({ required: false })
  campaign_id?: number;

  @PhoneField({ required: false, description: 'Number of the main lead; matched in its E.164 form.' })
  phone_number?: string;
}

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
