import { BooleanField, IdField, PhoneField, EnumField } from '#src/common/validation/fields.js';
import { ListField, VariablesField } from '#src/common/validation/object-fields.js';
import { TimestampField } from '#src/common/validation/text-fields.js';
import { UpdateType } from '#src/common/validation/update-type.js';
import { type Variables, CLIENT_LEAD_STATUSES, type ClientLeadStatus } from '../lead.types.js';

export class SecondaryContactDto {
  @PhoneField({ example: '+15005550022' })
  phone_number: string;

  @VariablesField({ required: false, default: {}, example: { customer_name: 'Grace' } })
  variables?: Variables;
}

export class CreateLeadDto {
  @PhoneField({ description: 'Formatted to E.164.', example: '+15005550020' })
  phone_number: string;

  @IdField({ description: 'One of your campaigns.' })
  campaign_id: number;

  @VariablesField({
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

/** Creation requires it: the empty text is no way to leave it out. */
const KEPT = { required: false, checksEmpty: true };

class LeadChanges {
  @IdField({
    ...KEPT,
    description: 'Moves a main lead and its contacts to another of your campaigns.',
  })
  campaign_id?: number;

  @PhoneField({ ...KEPT, description: 'Formatted to E.164.', example: '+15005550020' })
  phone_number?: string;

  @EnumField(CLIENT_LEAD_STATUSES, {
    required: false,
    description:
      '`created` puts the lead back into the queue, the others take it out. The status that the lead has changes ' +
      'nothing, whichever it is.',
  })
  status?: ClientLeadStatus;

  @VariablesField({
    required: false,
    description: 'Merged into the existing ones.',
    example: { city: 'Lisbon' },
  })
  variables?: Variables;
}

/** Absent keeps; null is refused. */
export class UpdateLeadDto extends UpdateType(LeadChanges) {}

export class ScheduleLeadDto {
  @TimestampField({
    nullable: true,
    description:
      'When the lead is to be called: in UTC, in the future, at most 90 days ahead. Null takes it back.',
  })
  scheduled_at: string | null;
}
