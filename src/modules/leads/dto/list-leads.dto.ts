import { DEFAULT_PER_PAGE, PageField, PageSizeField } from '#src/http/pagination/page.js';
import { EnumField, IdField, NUMBER_FILTER_DESCRIPTION, PhoneField } from '#src/common/validation/fields.js';
import { DayField, TimezoneField } from '#src/common/validation/text-fields.js';
import { LEAD_STATUSES, type LeadStatus } from '../lead.types.js';

/** With `page` or `per_page` the answer is one page in the envelope, without them the bare array of all. */
export class ListLeadsDto {
  @PageField()
  page?: number;

  @PageSizeField({ description: `Page size, ${DEFAULT_PER_PAGE} if absent.` })
  per_page?: number;

  @EnumField(LEAD_STATUSES, { required: false })
  status?: LeadStatus;

  @IdField({ required: false })
  campaign_id?: number;

  @PhoneField({ required: false, description: `Number of the main lead; ${NUMBER_FILTER_DESCRIPTION}` })
  phone_number?: string;

  @DayField({ required: false, description: 'Leads that were created on this day or later.' })
  date_from?: string;

  @DayField({ required: false, description: 'Leads that were created on this day or before.' })
  date_to?: string;

  @TimezoneField({ required: false, default: 'UTC', description: 'Time zone of the days.' })
  timezone?: string;
}
