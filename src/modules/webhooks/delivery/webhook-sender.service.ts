import { Injectable } from '@nestjs/common';
import { OutboundHttpService } from '#src/common/outbound-http/outbound-http.service.js';
import type { OutboundResult } from '#src/common/outbound-http/outbound-exchange.js';
import type { WebhookChannel } from '../../assistants/assistant.types.js';
import { AssistantsService } from '../../assistants/assistants.service.js';
import { TARGET_VALID_MS, type WebhookTarget } from '../../assistants/webhook-targets.js';
import { WebhookSecretsService } from '../webhook-secrets.service.js';
import { sign } from '../webhook-signature.js';
import type { WebhookEvent } from '../webhook.types.js';

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
  /** When the exchange must be over, in the milliseconds of `performance.now()`: it does not begin when it may not be. */
  endBy?: number;
}

/**
 * `off`: the channel has no receiver now. `stopped`: before the request left, the channel was switched off or moved, or
 * it was too late.
 */
export type SendOutcome =
  | { kind: 'sent'; url: string; result: OutboundResult }
  | { kind: 'moved'; url: string }
  | { kind: 'off' | 'stopped' };

/** Twice while a URL is valid, so that one slow look-up does not end the permit. */
const RENEW_MS = TARGET_VALID_MS / 2;

/**
 * The right to begin a request to a URL that was read. A request that waits for its connection may take longer than the
 * URL is valid: it is read again meanwhile. `signal` fires when the request must not leave.
 */
class SendPermit {
  private readonly stop = new AbortController();
  private readonly renewing = setInterval(() => void this.renew(), RENEW_MS);
  private isOver = false;

  constructor(
    private target: WebhookTarget,
    private readonly findTarget: () => Promise<WebhookTarget | null>,
  ) {}

  get signal(): AbortSignal {
    return this.stop.signal;
  }

  /** The request leaves now, or not at all: the timers of a process that stood still have not fired yet. */
  use(): void {
    this.end();
    if (performance.now() > this.target.validUntil) this.stop.abort();
  }

  /** A request that has left cannot be stopped: its answer is awaited. */
  end(): void {
    this.isOver = true;
    clearInterval(this.renewing);
  }

  private async renew(): Promise<void> {
    try {
      const target = await this.findTarget();
      if (this.isOver) return;
      if (target?.url === this.target.url) this.target = target;
      else this.stop.abort();
    } catch {
      // The database is away: the request may leave until the URL that was read is no longer valid.
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

  async sendWebhook(message: WebhookMessage, limits: SendLimits): Promise<SendOutcome> {
    const { accountId, assistantId, channel } = message;
    const secrets = message.secrets ?? (await this.secrets.signing(accountId));
    const findTarget = () => this.assistants.webhookTarget(assistantId, channel);
    const target = await findTarget();
    if (!target) return { kind: 'off' };
    const { url } = target;
    if (limits.accepts && !limits.accepts(url)) return { kind: 'moved', url };
    if (performance.now() + limits.timeoutMs > (limits.endBy ?? Infinity)) return { kind: 'stopped' };
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
        'webhook-signature': sign(secrets, webhookId, timestamp, body),
        'webhook-event': event,
      },
      body,
      timeoutMs,
      maxResponseBytes,
      signal: permit.signal,
      onStart: () => permit.use(),
    });
  }
}
