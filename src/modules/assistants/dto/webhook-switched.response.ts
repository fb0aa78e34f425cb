import { ApiProperty } from '@nestjs/swagger';
import { MessageResponse } from '#src/common/http/message.response.js';

export class WebhookSwitchedResponse extends MessageResponse {
  @ApiProperty({ type: 'array', items: { type: 'object' }, maxItems: 0, description: 'Reserved.' })
  data: never[];
}
