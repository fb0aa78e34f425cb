import { IdOrUuidField, TextField } from '#src/common/validation/fields.js';
import { FreeObjectField, VariablesField } from '#src/common/validation/object-fields.js';
import { UUID_LENGTH } from '#src/common/validation/uuid.js';

/** Anybody may begin a call: less than the API takes from users. */
const MAX_KILOBYTES = 16;

export class BeginUserWebCallDto {
  @IdOrUuidField({ description: 'An assistant: its id or its uuid.', example: 1 })
  assistant_id: number | string;

  @VariablesField({ required: false, description: 'Laid over the variables of the assistant.' })
  variables?: Record<string, unknown>;
}

export class BeginWebCallDto {
  @TextField({
    max: UUID_LENGTH,
    format: 'uuid',
    description: 'The `uuid` of the assistant.',
    example: '3f0c6f0e-2c55-4b0e-9f0b-6f2f3d6a1c11',
  })
  assistant_id: string;

  @FreeObjectField({
    required: false,
    maxKilobytes: MAX_KILOBYTES,
    mergesLists: true,
    description:
      "Laid over the assistant's variables; of visitors only those that `widget_settings.visitor_variables` lists.",
    example: { customer_name: 'Ada' },
  })
  variables?: Record<string, unknown>;
}
