import { VALIDATION_FAILED } from '#src/common/errors/api-error.js';
import { InvalidMessage } from '#src/http/api-validation.pipe.js';
import { BooleanField, EnumField, IntegerField, TextField, UrlField } from '#src/common/validation/fields.js';
import { FreeObjectField, ListField } from '#src/common/validation/object-fields.js';
import { UpdateType } from '#src/common/validation/update-type.js';
import { HTTP_METHODS, PARAMETER_TYPES, type HttpMethod, type ParameterType } from '../tool.types.js';

const NAME_RULE = 'Tool name must contain only lowercase letters and underscores, and start with a letter.';

/**
 * In place of a header's value, for who may not see it, and of a secret one for everybody. Written back it keeps the
 * value.
 */
export const HEADER_MASK = '••••••';

export class ToolHeaderDto {
  @TextField({ max: 255, pattern: /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, example: 'X-Api-Key' })
  name: string;

  @TextField({
    max: 2048,
    pattern: /^(?:[\t\x20-\x7e\x80-\xff]*|•{6})$/,
    description: `Shown to tokens with the scope \`write\` unless it is \`secret\`, else as \`${HEADER_MASK}\`. An update that writes this keeps the value.`,
    example: 'my-key',
  })
  value: string;

  @BooleanField({
    required: false,
    description:
      'True: the value can be written and is never shown, also after it is kept. Absent where it is false.',
  })
  secret?: boolean;
}

export class ToolParameterDto {
  @TextField({ min: 2, max: 32, pattern: /^[A-Za-z][A-Za-z_]*$/, example: 'order_number' })
  name: string;

  @EnumField(PARAMETER_TYPES)
  type: ParameterType;

  @TextField({ min: 3, max: 255, example: 'The number of the order the customer asks about' })
  description: string;
}

@InvalidMessage(VALIDATION_FAILED)
export class CreateToolDto {
  @TextField({
    max: 64,
    pattern: /^[a-z][a-z_]*$/,
    patternMessage: NAME_RULE,
    description:
      'The AI has `end_call`, `stop_calling` and `switch_language` already; tools of these names are not used.',
    example: 'check_order',
  })
  name: string;

  @TextField({
    max: 255,
    description: 'When and how the AI uses the tool.',
    example: 'Looks up the status of an order.',
  })
  description: string;

  @UrlField({ description: 'URL of the API to call.', example: 'https://example.com/orders' })
  endpoint: string;

  @EnumField(HTTP_METHODS)
  method: HttpMethod;

  @IntegerField({ min: 1, max: 30, required: false, default: 10, description: 'Seconds.' })
  timeout?: number;

  @ListField(() => ToolHeaderDto, {
    required: false,
    max: 50,
    maxKilobytes: 16,
    description: 'Together at most 16 KiB as JSON.',
  })
  headers?: ToolHeaderDto[];

  @ListField(() => ToolParameterDto, { required: false, max: 50 })
  schema?: ToolParameterDto[];
}

/** Absent keeps; null is refused; `headers` and `schema` are replaced whole. */
@InvalidMessage(VALIDATION_FAILED)
export class UpdateToolDto extends UpdateType(CreateToolDto) {}

@InvalidMessage(VALIDATION_FAILED)
export class TestToolDto {
  @FreeObjectField({
    required: false,
    maxKilobytes: 16,
    description: 'By name, what the AI would take from the conversation.',
    example: { order_number: '4711' },
  })
  arguments?: Record<string, unknown>;
}
