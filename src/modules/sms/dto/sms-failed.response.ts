import { ApiProperty } from '@nestjs/swagger';
import { MessageResponse } from '#src/common/http/message.response.js';

export class SmsFailedResponse extends MessageResponse {
  @ApiProperty({ required: false, description: "The provider's own words." })
  error?: string;
}
