import { MAX_PAGE, MAX_PER_PAGE } from '#src/common/pagination/page.js';
import { EnumField, IdField, IntegerField, PhoneField } from '#src/common/validation/fields.js';
import { LEAD_STATUSES, type LeadStatus } from '../lead.types.js';

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
