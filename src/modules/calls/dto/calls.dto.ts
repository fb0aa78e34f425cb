import { pageQuery } from '#src/http/pagination/page.js';
import { EnumField, IdField, NUMBER_FILTER_DESCRIPTION, PhoneField } from '#src/common/validation/fields.js';
import { DayField, TimezoneField } from '#src/common/validation/text-fields.js';
import { CALL_STATUSES, CALL_TYPES, type CallStatus, type CallType } from '../states/call-states.js';
import { OmitType } from '@nestjs/swagger';

/** Filter for all statuses before the end. */
export const RUNNING_FILTER = 'running';

export class ListCallsDto extends pageQuery() {
  @EnumField([...CALL_STATUSES, RUNNING_FILTER], {
    required: false,
    description: '`running`: calls that have not ended.',
  })
  status?: CallStatus | typeof RUNNING_FILTER;

  @EnumField(CALL_TYPES, { required: false })
  type?: CallType;

  @PhoneField({
    required: false,
    description: `Number of the client; ${NUMBER_FILTER_DESCRIPTION} What is no number is matched as it is: \`anonymous\`.`,
  })
  phone_number?: string;

  @IdField({ required: false })
  assistant_id?: number;

  @IdField({ required: false })
  campaign_id?: number;

  @IdField({ required: false, description: 'The lead or contact that was called.' })
  lead_id?: number;

  @DayField({ required: false, description: 'Calls from this day on.' })
  date_from?: string;

  @DayField({ required: false, description: 'Calls until the end of this day.' })
  date_to?: string;

  @TimezoneField({ required: false, default: 'UTC', description: 'Time zone of the days.' })
  timezone?: string;
}

export class ExportCallsDto extends OmitType(ListCallsDto, ['page', 'per_page']) {}
