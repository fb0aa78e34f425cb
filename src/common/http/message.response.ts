import { ApiProperty } from '@nestjs/swagger';

export class MessageResponse {
  @ApiProperty() message: string;
}

export class ErrorsResponse extends MessageResponse {
  @ApiProperty({
    type: 'object',
    required: false,
    additionalProperties: { type: 'array', items: { type: 'string' } },
    description: 'Field name → messages. Absent when a rule, not a field, forbids the request.',
  } as never)
  errors?: Record<string, string[]>;
}
