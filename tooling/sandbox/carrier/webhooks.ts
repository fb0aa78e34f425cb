import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Journal, JournalSubject } from '../journal.js';
import { connectionOverrides, withoutOverrides, type ConnectionOverrides } from './connection-overrides.js';
import { signRequest } from './signature.js';

const RETRY_DELAY_MS = 250;
const LONGEST_BACKOFF_MS = 2_000;
/** A proxy's statuses while the service behind it restarts. */
const RESTARTING = new Set([502, 503, 504]);

export interface WebhookRequest {
  /** The reported event, e.g. `status:ringing`; for the journal. */
  event: string;
  url: string;
  subject: JournalSubject;
  params: Record<string, string>;
}

/** `status` 0: `problem` is the cause, no connection (`ct`) or a read timeout (`rt`). */
type WebhookAnswer = { status: number; body: string } | { status: 0; problem: 'ct' | 'rt' };

export interface WebhookSettings {
  authToken: string;
  journal: Journal;
  patienceMs: number;
}

/** Signed, form-encoded POSTs to the carrier's customer; every attempt is written to the journal. */
export class Webhooks {
  private readonly agents = new Map<string, Agent>();

  constructor(
    private readonly settings: WebhookSettings,
    private readonly closing: AbortSignal,
  ) {}

  /**
   * Sends a report, with one retry; for `patienceMs` with further retries while there is no response. Never throws.
   */
  async notify(webhook: WebhookRequest, patienceMs = 0): Promise<void> {
    const overrides = connectionOverrides(webhook.url);
    const deadline = Date.now() + patienceMs;
    for (let attempt = 1; ; attempt++) {
      const answer = await this.attempt(webhook, attempt, overrides, this.closing);
      const isAnswered = answer.status > 0 && answer.status < 500;
      if (isAnswered || (attempt > 1 && Date.now() >= deadline)) return;
      await sleep(backoff(attempt), undefined, { signal: this.closing }).catch(() => undefined);
      if (this.closing.aborted) return;
    }
  }

  /** Fetches instructions. Null without any; throws when the signal aborts. */
  async instructions(webhook: WebhookRequest, signal: AbortSignal): Promise<string | null> {
    const overrides = connectionOverrides(webhook.url);
    const startedAt = Date.now();
    for (let attempt = 1; ; attempt++) {
      const answer = await this.attempt(webhook, attempt, overrides, signal);
      signal.throwIfAborted();
      if ('body' in answer && answer.status >= 200 && answer.status < 300) return answer.body;
      const elapsed = Date.now() - startedAt;
      const isRetried =
        attempt <= overrides.retries && elapsed < overrides.totalTime && isCovered(answer, overrides.policy);
      const isAwaited =
        elapsed < this.settings.patienceMs && (answer.status === 0 || RESTARTING.has(answer.status));
      if (!isRetried && !isAwaited) return null;
      await sleep(backoff(attempt), undefined, { signal });
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.agents.values()].map((agent) => agent.destroy()));
  }

  private async attempt(
    webhook: WebhookRequest,
    attempt: number,
    overrides: ConnectionOverrides,
    signal: AbortSignal,
  ): Promise<WebhookAnswer> {
    const { event, subject, params } = webhook;
    const url = withoutOverrides(webhook.url);
    const record = (outcome: Record<string, unknown>) =>
      this.settings.journal.write('callback', subject, { event, url, params, attempt, ...outcome });
    try {
      const response = await request(url, {
        method: 'POST',
        dispatcher: this.agentFor(overrides),
        signal,
        headers: {
          'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
          'user-agent': 'TwilioProxy/1.1',
          'x-twilio-signature': signRequest(this.settings.authToken, url, params),
        },
        body: new URLSearchParams(params).toString(),
      });
      const body = await response.body.text();
      record({ status: response.statusCode });
      return { status: response.statusCode, body };
    } catch (error) {
      if (!signal.aborted) {
        record({ status: null, error: error instanceof Error ? error.message : String(error) });
      }
      return { status: 0, problem: isLate(error) ? 'rt' : 'ct' };
    }
  }

  /** Timeouts belong to an agent. */
  private agentFor({ connectTimeout, readTimeout }: ConnectionOverrides): Agent {
    const key = `${connectTimeout}/${readTimeout}`;
    const known = this.agents.get(key);
    if (known !== undefined) return known;
    const agent = new Agent({
      connect: { timeout: connectTimeout },
      headersTimeout: readTimeout,
      bodyTimeout: readTimeout,
    });
    this.agents.set(key, agent);
    return agent;
  }
}

function isCovered(answer: WebhookAnswer, policy: ReadonlySet<string>): boolean {
  const kind = 'problem' in answer ? answer.problem : `${Math.floor(answer.status / 100)}xx`;
  return policy.has('all') || policy.has(kind);
}

function isLate(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT';
}

const backoff = (attempt: number): number => Math.min(LONGEST_BACKOFF_MS, RETRY_DELAY_MS * attempt);
