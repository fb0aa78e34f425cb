import { Injectable } from '@nestjs/common';
import { NoSlotError, type Release } from '#src/common/persistence/keyed-concurrency-limiter.js';
import { OutboundHttpService } from '#src/common/outbound-http/outbound-http.service.js';
import type { OutboundResult } from '#src/common/outbound-http/outbound-exchange.js';
import type { WebhookChannel } from '../../assistants/assistant.types.js';
import { WebhookSecretsService } from '../webhook-secrets.service.js';
import { sign } from '../webhook-signature.js';
import type { WebhookEvent } from '../webhook.types.js';
import { SendLocksService, type SendPermit } from './send-locks.service.js';

export interface WebhookMessage {
  accountId: number;
  assistantId: number;
  channel: WebhookChannel;
  event: WebhookEvent;
  webhookId: string;
  body: string;
  /** What signs it; null or absent: not looked up yet. */
  secrets?: string[] | null;
}

export interface SendLimits {
  timeoutMs: number;
  maxResponseBytes: number;
  /** Send only if the channel's URL passes; else the outcome is `moved`. */
  accepts?(url: string): boolean;
  /** Waits until the request may begin; rejects with NoSlotError when it may not. */
  enter?(signal: AbortSignal): Release | Promise<Release>;
  /** When the exchange must be over, in the milliseconds of `performance.now()`: it does not begin when it may not be. */
  endBy?: number;
}

/**
 * `off`: the channel has no receiver now. `stopped`: before the request left, the channel was switched off or moved, or
 * it was too late, or too many others were on their way.
 */
export type SendOutcome =
  | { kind: 'sent'; url: string; result: OutboundResult }
  | { kind: 'moved'; url: string }
  | { kind: 'off' | 'stopped' };

/** Signs a request and sends it to the channel's current URL. */
@Injectable()
export class WebhookSenderService {
  constructor(
    private readonly sendLocks: SendLocksService,
    private readonly secrets: WebhookSecretsService,
    private readonly http: OutboundHttpService,
  ) {}

  async sendWebhook(message: WebhookMessage, limits: SendLimits): Promise<SendOutcome> {
    const secrets = message.secrets ?? (await this.secrets.signing(message.accountId));
    const permit = await this.sendLocks.acquire(message.assistantId);
    let leave: Release | undefined;
    try {
      // Read under the lock: whoever has switched the webhook off since then waits for this request.
      const url = permit.targets?.[message.channel];
      if (!url) return { kind: 'off' };
      if (limits.accepts && !limits.accepts(url)) return { kind: 'moved', url };
      leave = await limits.enter?.(permit.signal);
      if (performance.now() + limits.timeoutMs > (limits.endBy ?? Infinity)) return { kind: 'stopped' };
      const result = await this.post(url, message, secrets, limits, permit);
      const stopped = !result.ok && result.error === 'aborted' && permit.signal.aborted;
      return stopped ? { kind: 'stopped' } : { kind: 'sent', url, result };
    } catch (error) {
      if (error instanceof NoSlotError) return { kind: 'stopped' };
      throw error;
    } finally {
      leave?.();
      permit.release();
    }
  }

  private post(
    url: string,
    { accountId, assistantId, channel, event, webhookId, body }: WebhookMessage,
    secrets: string[],
    { timeoutMs, maxResponseBytes, endBy = Infinity }: SendLimits,
    permit: SendPermit,
  ): Promise<OutboundResult> {
    const timestamp = Math.floor(Date.now() / 1000);
    const attributes = {
      'account.id': accountId,
      'assistant.id': assistantId,
      'webhook.id': webhookId,
      'webhook.channel': channel,
      'webhook.event': event,
    };
    return this.http.request({
      method: 'POST',
      url,
      span: { name: 'webhook attempt', attributes },
      headers: {
        'content-type': 'application/json',
        'webhook-id': webhookId,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': sign(secrets, webhookId, timestamp, body),
        'webhook-event': event,
      },
      body,
      timeoutMs,
      maxResponseBytes,
      signal: permit.signal,
      onStart: () => {
        // The timers of a process that stood still have not fired yet.
        if (performance.now() > endBy) permit.abort();
        // A request that was sent cannot be cancelled; its answer is awaited.
        else permit.release();
      },
    });
  }
}
