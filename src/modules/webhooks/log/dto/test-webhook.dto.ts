import { EnumField, IdField } from '#src/common/validation/fields.js';
import type { WebhookChannel } from '../../../assistants/assistant.types.js';
import { CHANNELS } from '../../webhook.types.js';

export class TestWebhookDto {
  @IdField()
  assistant_id: number;

  @EnumField(CHANNELS, { required: false, default: 'post-call' })
  channel: WebhookChannel = 'post-call';
}
