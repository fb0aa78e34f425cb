import { PhoneField, TextField } from '#src/common/validation/fields.js';

export class CreateSuppressionDto {
  @PhoneField({ example: '+15005550024' })
  phone_number: string;

  @TextField({ required: false, nullable: true, max: 255, example: 'Asked by e-mail not to be called' })
  reason?: string | null;
}
