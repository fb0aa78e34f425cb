import { ApiProperty } from '@nestjs/swagger';
import { type FillerConfig, ANSWER_TYPES, type AnswerType } from '../assistant.types.js';
import { Transform } from 'class-transformer';
import { EnumField, TextField } from '#src/common/validation/fields.js';

/** What is said while the model thinks, in the assistant's language. */
export class FillerConfigResponse implements FillerConfig {
  @ApiProperty({ type: [String] }) neutral: string[];
  @ApiProperty({ type: [String] }) negative: string[];
  @ApiProperty({ type: [String] }) positive: string[];
  @ApiProperty({ type: [String] }) question: string[];
}

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

export class EndCallToolDto {
  @TextField({
    max: 500,
    required: false,
    description: 'When the assistant ends the call.',
    example: 'When the customer says goodbye.',
  })
  description?: string;
}
