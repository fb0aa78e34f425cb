const WINDOW_MS = 120_000;
const LEAST_REQUESTS = 5;
/** More do not change the rate. */
const MOST_REQUESTS = 1_000;

/** The results of the requests of the last 120 s. */
export class SlidingFailureRate {
  private readonly requests: { at: number; ok: boolean }[] = [];

  constructor(private readonly now: () => number = Date.now) {}

  recordRequest(ok: boolean): void {
    this.requests.push({ at: this.now(), ok });
    if (this.requests.length > MOST_REQUESTS) this.requests.shift();
  }

  /** Whether at least half of at least 5 requests failed. */
  isHalfFailed(): boolean {
    const since = this.now() - WINDOW_MS;
    while (this.requests[0] && this.requests[0].at <= since) this.requests.shift();
    const failed = this.requests.filter(({ ok }) => !ok).length;
    return this.requests.length >= LEAST_REQUESTS && failed * 2 >= this.requests.length;
  }

  hasSucceededSince(at: number): boolean {
    return this.requests.some((request) => request.ok && request.at >= at);
  }

  clear(): void {
    this.requests.length = 0;
  }
}
