import { ApiProperty } from '@nestjs/swagger';

export class MessageResponse {
  @ApiProperty() message: string;
}

/** The return value of a handler with `data`. */
export interface DataResult<T> {
  data: T;
}

/** The return value of a handler with `data` and `message`. */
export interface MessageAndData<T> {
  message: string;
  data: T;
}

/** For clients that read the text under `error`. */
export class MessageAndErrorResponse extends MessageResponse {
  @ApiProperty({ description: 'The same text.' }) error: string;
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
