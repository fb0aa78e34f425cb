import { Injectable } from '@nestjs/common';
import { OutboundHttpService } from '#src/common/outbound-http/outbound-http.service.js';
import type { OutboundResult } from '#src/common/outbound-http/outbound-exchange.js';
import type { WebhookChannel } from '../../assistants/assistant.types.js';
import { AssistantsService } from '../../assistants/assistants.service.js';
import { WEBHOOK_TARGET_TTL_MS, type WebhookTarget } from '../../assistants/webhook-targets.js';
import { signWebhook, WebhookSecretsService, type StoredWebhookSecret } from '../webhook-secrets.service.js';
import type { WebhookEvent } from '../webhook.types.js';

export interface WebhookMessage {
  accountId: number;
  assistantId: number;
  channel: WebhookChannel;
  event: WebhookEvent;
  webhookId: string;
  body: string;
  /** Signing secrets as they are stored; null or absent: not read yet. */
  secrets?: StoredWebhookSecret[] | null;
}

export interface SendLimits {
  timeoutMs: number;
  maxResponseBytes: number;
  /** Send only if the channel's URL passes; else the outcome is `moved`. */
  accepts?(url: string): boolean;
  /** End of the exchange, in milliseconds of `performance.now()`. A request that may exceed it is not sent. */
  deadline?: number;
}

/**
 * `off`: the channel has no URL now. `stopped`: before the request was sent, the channel was switched off, its URL
 * changed, or the deadline passed.
 */
export type WebhookSendOutcome =
  | { kind: 'sent'; url: string; result: OutboundResult }
  | { kind: 'moved'; url: string }
  | { kind: 'off' | 'stopped' };

/** Two checks within the validity of a URL, so that one slow query does not end the permit. */
const TARGET_CHECK_MS = WEBHOOK_TARGET_TTL_MS / 2;

/**
 * Permission to send a request to a URL. A request may wait for its connection longer than the URL is valid, so the URL
 * is checked again meanwhile. `signal` aborts a request that must not be sent.
 */
class SendPermit {
  private readonly abort = new AbortController();
  private readonly checks = setInterval(() => void this.checkTarget(), TARGET_CHECK_MS);
  private isOver = false;

  constructor(
    private target: WebhookTarget,
    private readonly findTarget: () => Promise<WebhookTarget | null>,
  ) {}

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  /** Called when the request is sent. Checks the validity: in a process that was paused the timers are late. */
  startRequest(): void {
    this.end();
    if (performance.now() > this.target.validUntil) this.abort.abort();
  }

  /** After the request is sent: it cannot be aborted any more. */
  end(): void {
    this.isOver = true;
    clearInterval(this.checks);
  }

  private async checkTarget(): Promise<void> {
    try {
      const target = await this.findTarget();
      if (this.isOver) return;
      if (target?.url === this.target.url) this.target = target;
      else this.abort.abort();
    } catch {
      // The database is unavailable: the request may be sent until the URL expires.
    }
  }
}

/** Signs a request and sends it to the channel's current URL. */
@Injectable()
export class WebhookSenderService {
  constructor(
    private readonly assistants: AssistantsService,
    private readonly secrets: WebhookSecretsService,
    private readonly http: OutboundHttpService,
  ) {}

  async sendWebhook(message: WebhookMessage, limits: SendLimits): Promise<WebhookSendOutcome> {
    const { accountId, assistantId, channel } = message;
    const secrets = await this.secrets.signingSecrets(accountId, message.secrets ?? null);
    const findTarget = () => this.assistants.webhookTarget(assistantId, channel);
    const target = await findTarget();
    if (!target) return { kind: 'off' };
    const { url } = target;
    if (limits.accepts && !limits.accepts(url)) return { kind: 'moved', url };
    if (performance.now() + limits.timeoutMs > (limits.deadline ?? Infinity)) return { kind: 'stopped' };
    const permit = new SendPermit(target, findTarget);
    try {
      const result = await this.post(url, message, secrets, limits, permit);
      const stopped = !result.ok && result.error === 'aborted' && permit.signal.aborted;
      return stopped ? { kind: 'stopped' } : { kind: 'sent', url, result };
    } finally {
      permit.end();
    }
  }

  private post(
    url: string,
    { accountId, assistantId, channel, event, webhookId, body }: WebhookMessage,
    secrets: string[],
    { timeoutMs, maxResponseBytes }: SendLimits,
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
        'webhook-signature': signWebhook(secrets, webhookId, timestamp, body),
        'webhook-event': event,
      },
      body,
      timeoutMs,
      maxResponseBytes,
      signal: permit.signal,
      onStart: () => permit.startRequest(),
    });
  }
}
