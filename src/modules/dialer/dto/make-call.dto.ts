import { IdOrUuidField, PhoneField } from '#src/common/validation/fields.js';
import { VariablesField } from '#src/common/validation/object-fields.js';

export class MakeCallDto {
  @IdOrUuidField({ description: 'An outbound assistant: its id or its uuid.', example: 1 })
  assistant_id: number | string;

  @PhoneField({ example: '+15005550020' })
  phone_number: string;

  @VariablesField({ required: false, description: 'Laid over the variables of the assistant.' })
  variables?: Record<string, unknown>;

  @VariablesField({ required: false, description: 'The same as `variables`, laid under it.' })
  variable?: Record<string, unknown>;

  @VariablesField({ required: false, description: 'The same as `variables`, laid under `variable`.' })
  input_variables?: Record<string, unknown>;
}

/** Some clients write other names for `variables`; of a key in several of them the documented one counts. */
export const variablesOf = ({
  variables,
  variable,
  input_variables,
}: MakeCallDto): Record<string, unknown> => ({
  ...input_variables,
  ...variable,
  ...variables,
});
