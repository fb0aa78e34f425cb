import { ApiProperty } from '@nestjs/swagger';

export class SendersResponse {
  @ApiProperty({ type: 'array', items: { type: 'object' }, maxItems: 0 })
  data: object[];
}

export class WhatsappErrorResponse {
  @ApiProperty({ enum: [false], type: Boolean }) success: false;
  @ApiProperty() message: string;
  @ApiProperty({ description: 'The same text as `message`.' }) error: string;
  @ApiProperty({ enum: ['SENDER_NOT_FOUND'] }) error_code: 'SENDER_NOT_FOUND';
}
