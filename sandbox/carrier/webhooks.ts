import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Journal, JournalSubject } from '../journal.js';
import { signRequest } from './signature.js';

/** The carrier waits 15 s for the customer's web server. */
const TIMEOUT_MS = 15_000;
const RETRY_DELAY_MS = 250;
/** A service that restarts is back within this time, or its call ends. */
const RESTART_TIMEOUT_MS = 30_000;
const LONGEST_BACKOFF_MS = 2_000;
/** What a proxy says while the service behind it restarts. */
const RESTARTING = new Set([502, 503, 504]);

export interface WebhookRequest {
  /** What it tells, e.g. `status:ringing`; for the journal. */
  event: string;
  url: string;
  subject: JournalSubject;
  params: Record<string, string>;
}

export interface WebhookAnswer {
  status: number;
  body: string;
}

/** Signed, form-encoded POSTs to the carrier's customer; every attempt is written to the journal. */
export class Webhooks {
  private readonly agent = new Agent({ headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });

  constructor(
    private readonly authToken: string,
    private readonly journal: Journal,
    private readonly closing: AbortSignal,
  ) {}

  /** Sends a report, with one retry. Never throws. */
  async notify(webhook: WebhookRequest): Promise<void> {
    const answer = await this.attempt(webhook, 1, this.closing);
    if (answer !== null && answer.status < 500) return;
    await sleep(RETRY_DELAY_MS, undefined, { signal: this.closing }).catch(() => undefined);
    if (!this.closing.aborted) await this.attempt(webhook, 2, this.closing);
  }

  /**
   * Fetches instructions and retries for 30 real seconds while the service does not answer.
   * Null when none came; throws when the signal aborts.
   */
  async instructions(webhook: WebhookRequest, signal: AbortSignal): Promise<string | null> {
    const deadline = Date.now() + RESTART_TIMEOUT_MS;
    for (let attempt = 1; ; attempt++) {
      const answer = await this.attempt(webhook, attempt, signal);
      signal.throwIfAborted();
      if (answer !== null && !RESTARTING.has(answer.status)) {
        return answer.status >= 200 && answer.status < 300 ? answer.body : null;
      }
      if (Date.now() >= deadline) return null;
      await sleep(Math.min(LONGEST_BACKOFF_MS, RETRY_DELAY_MS * attempt), undefined, { signal });
    }
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async attempt(
    webhook: WebhookRequest,
    attempt: number,
    signal: AbortSignal,
  ): Promise<WebhookAnswer | null> {
    const { event, url, subject, params } = webhook;
    const record = (outcome: Record<string, unknown>) =>
      this.journal.write('callback', subject, { event, url, params, attempt, ...outcome });
    try {
      const response = await request(url, {
        method: 'POST',
        dispatcher: this.agent,
        signal,
        headers: {
          'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
          'user-agent': 'TwilioProxy/1.1',
          'x-twilio-signature': signRequest(this.authToken, url, params),
        },
        body: new URLSearchParams(params).toString(),
      });
      const body = await response.body.text();
      record({ status: response.statusCode });
      return { status: response.statusCode, body };
    } catch (error) {
      if (signal.aborted) return null;
      record({ status: null, error: error instanceof Error ? error.message : String(error) });
      return null;
    }
  }
}
