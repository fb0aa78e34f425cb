import { ApiProperty } from '@nestjs/swagger';
import { IdOrUuidField, PhoneField } from '#src/common/validation/fields.js';
import { VariablesField } from '#src/common/validation/object-fields.js';

export class MakeCallDto {
  @IdOrUuidField({ description: 'An outbound assistant: its id or its uuid.', example: 1 })
  assistant_id: number | string;

  @PhoneField({ example: '+15005550020' })
  phone_number: string;

  @VariablesField({ required: false, description: 'Laid over the variables of the assistant.' })
  variables?: Record<string, unknown>;
}

export class MakeCallResponse {
  @ApiProperty() message: string;
  @ApiProperty({ type: 'integer' }) call_id: number;
  @ApiProperty({ enum: ['initiated'] }) status: string;
}
