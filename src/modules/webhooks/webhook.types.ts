import type { WebhookChannel } from '../assistants/assistant.types.js';

export const CHANNELS = ['post-call', 'inbound'] as const satisfies readonly WebhookChannel[];

/** `dead`: given up with a reason. `cancelled`: the webhook was switched off before it could be delivered. */
export const DELIVERY_STATES = ['pending', 'delivered', 'dead', 'cancelled'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The `webhook-event` header. `call.inbound` asks before the answer; the others tell of a call that is over. */
export const WEBHOOK_EVENTS = ['call.completed', 'call.updated', 'call.inbound'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
