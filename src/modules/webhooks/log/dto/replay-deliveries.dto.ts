import { EnumField } from '#src/common/validation/fields.js';
import { TimestampField } from '#src/common/validation/timestamp-field.js';
import type { DeliveryState } from '../../webhook.types.js';

/** Pending ones go out anyway. */
const REPLAYABLE = ['dead', 'cancelled', 'delivered'] as const satisfies readonly DeliveryState[];

export class ReplayDeliveriesDto {
  @TimestampField({ description: 'Deliveries created from this moment on; UTC unless it has an offset.' })
  since: string;

  @EnumField(REPLAYABLE, { required: false, default: 'dead' })
  status: (typeof REPLAYABLE)[number] = 'dead';
}
