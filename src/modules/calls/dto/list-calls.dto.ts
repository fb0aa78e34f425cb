import { pageQuery } from '#src/common/pagination/page.js';
import { EnumField, IdField, PhoneField } from '#src/common/validation/fields.js';
import { DayField } from '#src/common/validation/text-fields.js';
import { CALL_STATUSES, CALL_TYPES, type CallStatus, type CallType } from '../call-states.js';

const DEFAULT_PAGE_SIZE = 15;

export class ListCallsDto extends pageQuery(DEFAULT_PAGE_SIZE) {
  @EnumField(CALL_STATUSES, { required: false })
  status?: CallStatus;

  @EnumField(CALL_TYPES, { required: false })
  type?: CallType;

  @PhoneField({ required: false, description: 'Number of the client; matched in its E.164 form.' })
  phone_number?: string;

  @IdField({ required: false })
  assistant_id?: number;

  @IdField({ required: false })
  campaign_id?: number;

  @DayField({ required: false, description: 'Calls from this day on (UTC).' })
  date_from?: string;

  @DayField({ required: false, description: 'Calls until the end of this day (UTC).' })
  date_to?: string;
}
