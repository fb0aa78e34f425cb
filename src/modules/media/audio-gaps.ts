/** Nothing arrives for this long: silence stands in for it, so that the end of speech is noticed downstream. */
const STALL_MS = 200;
/** The longest silence that is put in for one gap; after it the audio goes on without more. */
const MAX_GAP_MS = 5_000;
const CLOCK_MS = 100;

/**
 * Calls `look`, which calls `during`, ten times a second. After a time in which this process was busy, what has arrived
 * meanwhile is read first: silence in its place would stand in the middle of a word, or end what the customer says.
 */
export const watchGaps = (look: (now: number) => void): NodeJS.Timeout =>
  setInterval(() => setImmediate(look, Date.now()), CLOCK_MS).unref();

/**
 * Tells how much silence, in milliseconds, is put in place of audio that the other end of a line did not send. Audio
 * that comes late is not left out: it follows the silence that stood in for it.
 */
export class AudioGaps {
  /** Where the next piece is expected, in the sender's time; null before the first one. */
  private expectedMs: number | null = null;
  /** Silence that was put in since the last piece. */
  private filledMs = 0;
  private arrivedAt: number;

  constructor(startedAt: number) {
    this.arrivedAt = startedAt;
  }

  /** A piece arrives. @param timestampMs the sender's time of it; null: it does not say, and follows the one before */
  gapBefore(timestampMs: number | null, durationMs: number, now: number): number {
    const expectedMs = this.expectedMs ?? timestampMs ?? 0;
    const missingMs = Math.max(0, (timestampMs ?? expectedMs) - expectedMs);
    const fillMs = Math.max(0, Math.min(missingMs, MAX_GAP_MS) - this.filledMs);
    this.expectedMs = Math.max(expectedMs, timestampMs ?? expectedMs) + durationMs;
    this.filledMs = 0;
    this.arrivedAt = now;
    return fillMs;
  }

  /** Time passes. */
  gapDuring(now: number): number {
    const waitedMs = now - this.arrivedAt;
    if (waitedMs < STALL_MS) return 0;
    const fillMs = Math.min(waitedMs, MAX_GAP_MS) - this.filledMs;
    this.filledMs += Math.max(0, fillMs);
    return Math.max(0, fillMs);
  }
}
