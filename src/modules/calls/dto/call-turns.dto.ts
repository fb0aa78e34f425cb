import { IntegerField, MAX_ID } from '#src/common/validation/fields.js';

export class ListTurnsDto {
  @IntegerField({
    min: 0,
    max: MAX_ID,
    required: false,
    default: 0,
    description: 'Only what has a higher `seq`.',
  })
  after_seq: number = 0;
}
