import type { WebhookChannel } from '../assistants/assistant.types.js';
import type { DueRowSource } from '#src/common/fairness/due-row-reader.js';

export const WEBHOOK_CHANNELS = [
  'post-call',
  'inbound',
  'conversation',
] as const satisfies readonly WebhookChannel[];

/** `dead`: given up with a reason. `cancelled`: the webhook was switched off before it could be delivered. */
export const DELIVERY_STATES = ['pending', 'delivered', 'dead', 'cancelled'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The `webhook-event` header. `call.inbound` is sent before the call is answered; the others report finished facts. */
export const WEBHOOK_EVENTS = [
  'call.completed',
  'call.updated',
  'call.inbound',
  'conversation.ended',
  'campaign.stopped',
  'model.retiring',
  'spend_limit_reached',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Events with deliveries of a call. */
const CALL_EVENTS = ['call.completed', 'call.updated'] as const;
export type CallWebhookEvent = (typeof CALL_EVENTS)[number];
/** `event_key` of a call's deliveries, by which the log finds them. */
export const callEventKey = (event: CallWebhookEvent, callId: number): string => `${event}:${callId}`;
export const callEventKeys = (callId: number): string[] =>
  CALL_EVENTS.map((event) => callEventKey(event, callId));

/** Scheduled by account and receiver, so that a long queue of one receiver does not block the account's others. */
export const WAITING_DELIVERIES = {
  table: 'webhook_deliveries',
  due: 'due_at',
  waiting: `state = 'pending'`,
  parties: ['account_id', 'receiver'],
} satisfies DueRowSource;
