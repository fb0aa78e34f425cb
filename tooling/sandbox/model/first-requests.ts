import { createHash } from 'node:crypto';

/** A request is a first one again after this time, in milliseconds. */
const REMEMBERED_MS = 30_000;
const MOST = 1_000;

/** Tells first requests from those that repeat one. */
export class FirstRequests {
  /** When each came, by its hash; the oldest first. */
  private readonly requests = new Map<string, number>();

  /** @param content that a repeated request has as well */
  isFirst(content: unknown): boolean {
    const key = createHash('sha256').update(JSON.stringify(content)).digest('base64');
    const now = performance.now();
    const isKnown = now - (this.requests.get(key) ?? -Infinity) < REMEMBERED_MS;
    if (isKnown) return false;
    this.requests.delete(key);
    this.requests.set(key, now);
    for (const [oldest] of this.requests) {
      if (this.requests.size <= MOST) break;
      this.requests.delete(oldest);
    }
    return true;
  }
}
