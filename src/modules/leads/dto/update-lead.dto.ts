import { EnumField, IdField, PhoneField } from '#src/common/validation/fields.js';
import { FreeObjectField } from '#src/common/validation/object-fields.js';
import { CLIENT_LEAD_STATUSES, type ClientLeadStatus, type Variables } from '../lead.types.js';

/** Absent keeps; null is refused. */
export class UpdateLeadDto {
  @IdField({
    required: false,
    description: 'Moves a main lead and its contacts to another of your campaigns.',
  })
  campaign_id?: number;

  @PhoneField({ required: false, description: 'Formatted to E.164.', example: '+15005550020' })
  phone_number?: string;

  @EnumField(CLIENT_LEAD_STATUSES, {
    required: false,
    description: '`created` puts the lead back into the queue, the others take it out.',
  })
  status?: ClientLeadStatus;

  @FreeObjectField({
    required: false,
    description: 'Merged into the existing ones.',
    example: { city: 'Lisbon' },
  })
  variables?: Variables;
}
