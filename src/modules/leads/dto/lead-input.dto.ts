import { BooleanField, IdField, PhoneField, EnumField } from '#src/common/validation/fields.js';
import { FreeObjectField, ListField } from '#src/common/validation/object-fields.js';
import { type Variables, CLIENT_LEAD_STATUSES, type ClientLeadStatus } from '../lead.types.js';

export class SecondaryContactDto {
  @PhoneField({ example: '+15005550022' })
  phone_number: string;

  @FreeObjectField({ required: false, default: {}, example: { customer_name: 'Grace' } })
  variables?: Variables;
}

export class CreateLeadDto {
  @PhoneField({ description: 'Formatted to E.164.', example: '+15005550020' })
  phone_number: string;

  @IdField({ description: 'One of your campaigns.' })
  campaign_id: number;

  @FreeObjectField({
    required: false,
    default: {},
    example: { customer_name: 'Ada', email: 'ada@example.com' },
  })
  variables?: Variables;

  @BooleanField({
    required: false,
    default: false,
    description: 'Whether the number may stand there already.',
  })
  allow_dupplicate?: boolean;

  @ListField(() => SecondaryContactDto, {
    required: false,
    description: 'Called in this order, after the main lead.',
  })
  secondary_contacts?: SecondaryContactDto[];
}

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
