import { Transform } from 'class-transformer';
import { EnumField, TextField } from '#src/common/validation/fields.js';
import { ANSWER_TYPES, type AnswerType } from '../assistant.types.js';

/** Clients also write an item's keys as `post_call_schema[].name`; the plain spelling wins. */
const TakesPrefixedKey = (): PropertyDecorator =>
  Transform(
    ({ obj, key }: { obj: Record<string, unknown>; key: string }) =>
      obj[key] ?? obj[`post_call_schema[].${key}`],
  );

export class PostCallFieldDto {
  @TakesPrefixedKey()
  @TextField({
    max: 64,
    pattern: /^\w+$/,
    description: 'Letters, digits and underscores.',
    example: 'interested',
  })
  name: string;

  @TakesPrefixedKey()
  @EnumField(ANSWER_TYPES)
  type: AnswerType;

  @TakesPrefixedKey()
  @TextField({ max: 1000, example: 'Whether the customer wants an offer' })
  description: string;
}
