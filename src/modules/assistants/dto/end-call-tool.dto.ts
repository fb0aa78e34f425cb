import { TextField } from '#src/common/validation/fields.js';

export class EndCallToolDto {
  @TextField({
    max: 500,
    required: false,
    description: 'When the assistant ends the call.',
    example: 'When the customer says goodbye.',
  })
  description?: string;
}
