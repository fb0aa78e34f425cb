import { ApiProperty } from '@nestjs/swagger';
import { IdField, PhoneField } from '#src/common/validation/fields.js';
import { FreeObjectField } from '#src/common/validation/object-fields.js';

export class MakeCallDto {
  @IdField({ description: 'An outbound assistant.' })
  assistant_id: number;

  @PhoneField({ example: '+15005550020' })
  phone_number: string;

  @FreeObjectField({ required: false, description: 'Laid over the variables of the assistant.' })
  variables?: Record<string, unknown>;
}

export class MakeCallResponse {
  @ApiProperty() message: string;
  @ApiProperty({ type: 'integer' }) call_id: number;
  @ApiProperty({ enum: ['initiated'] }) status: string;
}
