import { BooleanField, IdField, PhoneField } from '#src/common/validation/fields.js';
import { FreeObjectField, ListField } from '#src/common/validation/object-fields.js';
import type { Variables } from '../lead.types.js';

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
