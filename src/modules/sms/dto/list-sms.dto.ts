import { pageQuery } from '#src/common/pagination/page.js';
import { DayField } from '#src/common/validation/day-field.js';
import { EnumField, PhoneField } from '#src/common/validation/fields.js';
import { SMS_STATUSES, type SmsStatus } from '../sms-status.js';

const DEFAULT_PAGE_SIZE = 15;

export class ListSmsDto extends pageQuery(DEFAULT_PAGE_SIZE) {
  @EnumField(SMS_STATUSES, { required: false })
  status?: SmsStatus;

  @PhoneField({ required: false, description: 'Number of the recipient; matched in its E.164 form.' })
  phone_number?: string;

  @DayField({ required: false, description: 'Messages from this day on (UTC).' })
  date_from?: string;

  @DayField({ required: false, description: 'Messages until the end of this day (UTC).' })
  date_to?: string;
}
