import { pageQuery } from '#src/common/pagination/page.js';
import { EnumField, IdField } from '#src/common/validation/fields.js';
import type { WebhookChannel } from '../../../assistants/assistant.types.js';
import { CHANNELS, DELIVERY_STATES, type DeliveryState } from '../../webhook.types.js';

const DEFAULT_PAGE_SIZE = 15;

export class ListDeliveriesDto extends pageQuery(DEFAULT_PAGE_SIZE) {
  @IdField({ required: false })
  call_id?: number;

  @EnumField(DELIVERY_STATES, { required: false })
  status?: DeliveryState;

  @EnumField(CHANNELS, { required: false })
  channel?: WebhookChannel;
}
