import { defineEvent } from '#src/events/event-type.js';

/**
 * Requests of a webhook go elsewhere, or nowhere: its URL was changed, it was switched off, the assistant was deleted.
 */
export const WebhooksRedirected = defineEvent<{ assistantId: number; accountId: number }>(
  'assistant.webhooks-redirected',
);
