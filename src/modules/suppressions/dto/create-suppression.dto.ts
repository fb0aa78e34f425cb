import { TextField } from '#src/common/validation/fields.js';

export class CreateSuppressionDto {
  @TextField({ max: 64, example: '+15005550024' })
  phone_number: string;

  @TextField({ required: false, nullable: true, max: 255, example: 'Asked by e-mail not to be called' })
  reason?: string | null;
}
