import type { Assistant } from './entities/assistant.entity.js';

/** The data of an assistant's webhooks for other modules. */
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
