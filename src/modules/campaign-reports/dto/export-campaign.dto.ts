import { EnumField, NUMBER_FILTER_DESCRIPTION, PhoneField } from '#src/common/validation/fields.js';
import { DayField } from '#src/common/validation/text-fields.js';
import { LEAD_STATUSES, type LeadStatus } from '#src/modules/leads/lead.types.js';

export class ExportCampaignDto {
  @EnumField(LEAD_STATUSES, { required: false })
  status?: LeadStatus;

  @PhoneField({ required: false, description: `Number of the main lead; ${NUMBER_FILTER_DESCRIPTION}` })
  phone_number?: string;

  @DayField({ required: false, description: 'Leads from this day on (UTC).' })
  date_from?: string;

  @DayField({ required: false, description: 'Leads until the end of this day (UTC).' })
  date_to?: string;
}
