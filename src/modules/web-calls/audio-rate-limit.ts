/** A microphone's clock may run a little faster than ours. */
const RATE = 1.05;
/** Audio that a browser may send at once, after a stall of the network. */
const MAX_AT_ONCE_MS = 10_000;

/** How much audio is taken from a browser: as much as time passes, and ten seconds at once. */
export class AudioRateLimit {
  private leftMs = MAX_AT_ONCE_MS;

  constructor(private at: number) {}

  /** Whether so much more is taken. @param now in milliseconds */
  accepts(durationMs: number, now: number): boolean {
    this.leftMs = Math.min(MAX_AT_ONCE_MS, this.leftMs + Math.max(0, now - this.at) * RATE);
    this.at = now;
    if (this.leftMs < durationMs) return false;
    this.leftMs -= durationMs;
    return true;
  }
}
