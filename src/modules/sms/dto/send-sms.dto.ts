import { IdField, PhoneField, TextField } from '#src/common/validation/fields.js';

export const MAX_SMS_UNITS = 300;

export class SendSmsDto {
  @IdField({ description: 'Id of the phone number to send from.' })
  from: number;

  @PhoneField({ description: 'Recipient in international format.', example: '+15005550006' })
  to: string;

  @TextField({ maxUnits: MAX_SMS_UNITS, example: 'Your appointment is on Thursday at 3 pm.' })
  body: string;
}
