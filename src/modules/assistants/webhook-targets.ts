import { setTimeout as sleep } from 'node:timers/promises';
import type { AssistantWebhooks } from './assistant-view.js';
import type { WebhookChannel } from './assistant.types.js';
import type { Assistant } from './entities/assistant.entity.js';

/** Where the requests of a webhook go. */
export interface WebhookTarget {
  url: string;
  /** Until when a request may leave to it without reading it again, in the milliseconds of `performance.now()`. */
  validUntil: number;
}

/** For this long after it was read a URL may be used; so a change of it is answered when this time is over. */
export const WEBHOOK_TARGET_TTL_MS = 500;
/** Timers may fire a millisecond early, and the clocks of two machines differ in speed. */
const MARGIN_MS = 50;

/** To be awaited after the commit of a change: no process uses a URL any more that it has read before. */
export const waitForWebhookTargetExpiry = (): Promise<void> => sleep(WEBHOOK_TARGET_TTL_MS + MARGIN_MS);

export const URL_COLUMN = {
  'post-call': 'webhookUrl',
  inbound: 'inboundWebhookUrl',
  conversation: 'conversationEndedWebhookUrl',
} as const satisfies Record<WebhookChannel, keyof Assistant>;

export const webhookColumns = (channel: WebhookChannel, url: string | null) => ({
  [URL_COLUMN[channel]]: url,
  ...(channel === 'post-call' && { isWebhookActive: url !== null }),
});

/** Whether requests of a channel that had a URL go elsewhere, or nowhere. Null: the assistant is deleted. */
export function hasRedirectedWebhook(before: AssistantWebhooks, after: AssistantWebhooks | null): boolean {
  const channels = Object.keys(URL_COLUMN) as WebhookChannel[];
  return channels.some(
    (channel) => before.urls[channel] !== null && before.urls[channel] !== after?.urls[channel],
  );
}
