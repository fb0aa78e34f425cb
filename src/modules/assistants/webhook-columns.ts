import type { Assistant } from './entities/assistant.entity.js';

/** What other modules need to know of an assistant's webhooks. */
export const WEBHOOK_COLUMNS = [
  'id',
  'isWebhookActive',
  'webhookUrl',
  'inboundWebhookUrl',
  'conversationEndedWebhookUrl',
  'sendWebhookOnlyOnCompleted',
  'includeRecordingInWebhook',
] as const satisfies readonly (keyof Assistant)[];
export type WebhookColumn = (typeof WEBHOOK_COLUMNS)[number];
