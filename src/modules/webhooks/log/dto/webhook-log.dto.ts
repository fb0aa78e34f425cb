import { pageQuery } from '#src/http/pagination/page.js';
import { EnumField, IdField } from '#src/common/validation/fields.js';
import type { WebhookChannel } from '#src/modules/assistants/assistant.types.js';
import { WEBHOOK_CHANNELS, DELIVERY_STATES, type DeliveryState } from '../../webhook.types.js';
import { TimestampField } from '#src/common/validation/text-fields.js';

export class ListDeliveriesDto extends pageQuery() {
  @IdField({ required: false })
  call_id?: number;

  @EnumField(DELIVERY_STATES, { required: false })
  status?: DeliveryState;

  @EnumField(WEBHOOK_CHANNELS, { required: false })
  channel?: WebhookChannel;
}

/** Pending ones go out anyway. */
const REPLAYABLE = ['dead', 'cancelled', 'delivered'] as const satisfies readonly DeliveryState[];

export class ReplayDeliveriesDto {
  @TimestampField({ description: 'Deliveries created from this moment on; UTC unless it has an offset.' })
  since: string;

  @EnumField(REPLAYABLE, { required: false, default: 'dead' })
  status: (typeof REPLAYABLE)[number] = 'dead';
}

export class TestWebhookDto {
  @IdField()
  assistant_id: number;

  @EnumField(WEBHOOK_CHANNELS, { required: false, default: 'post-call' })
  channel: WebhookChannel = 'post-call';
}
