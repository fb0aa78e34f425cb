import { TARGET_VALID_MS, type WebhookTarget } from '../../assistants/webhook-targets.js';

/** Twice while a URL is valid, so that one slow look-up does not end the permit. */
const RENEW_MS = TARGET_VALID_MS / 2;

/**
 * The right to begin a request to a URL that was read. A request that waits for its connection may take longer than the
 * URL is valid: it is read again meanwhile. `signal` fires when the request must not leave.
 */
export class SendPermit {
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
