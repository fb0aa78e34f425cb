import { pageQuery } from '#src/http/pagination/page.js';
import { DayField, TimezoneField } from '#src/common/validation/text-fields.js';
import {
  EnumField,
  NUMBER_FILTER_DESCRIPTION,
  PhoneField,
  IdField,
  TextField,
} from '#src/common/validation/fields.js';
import { SMS_STATUSES, type SmsStatus } from '../entities/sms.entities.js';

export class ListSmsDto extends pageQuery() {
  @EnumField(SMS_STATUSES, { required: false })
  status?: SmsStatus;

  @PhoneField({ required: false, description: `Number of the recipient; ${NUMBER_FILTER_DESCRIPTION}` })
  phone_number?: string;

  @DayField({ required: false, description: 'Messages from this day on.' })
  date_from?: string;

  @DayField({ required: false, description: 'Messages until the end of this day.' })
  date_to?: string;

  @TimezoneField({ required: false, default: 'UTC', description: 'Time zone of the days.' })
  timezone?: string;
}

export const MAX_SMS_UNITS = 300;

export class SendSmsDto {
  @IdField({ description: 'Id of the phone number to send from.' })
  from: number;

  @PhoneField({ description: 'Recipient in international format.', example: '+15005550006' })
  to: string;

  @TextField({ maxUnits: MAX_SMS_UNITS, example: 'Your appointment is on Thursday at 3 pm.' })
  body: string;
}

export class SmsPriceDto {
  @PhoneField({ description: 'Recipient in international format.', example: '+15005550006' })
  to: string;
}
