/**
 * After this time without audio silence replaces it, so that the end of speech is detected. Mobile networks deliver
 * audio up to 0.4 s late, and in one piece: silence before it would split a word.
 */
const STALL_MS = 400;
/** The longest silence that is inserted for one gap; after it the audio continues. */
const MAX_GAP_MS = 5_000;
const CLOCK_MS = 100;
/** Shorter gaps in the sender's time are the difference of two clocks, or one lost frame. */
const MIN_GAP_MS = 40;
/** Timestamps of about a second, in which a sender repeats frames. */
const MAX_KNOWN_TIMESTAMPS = 50;

/**
 * Calls `look`, which calls `gapDuring`, ten times a second. After a time in which this process was busy, received
 * audio is read first: silence in its place would split a word or end an utterance.
 */
export const startGapTimer = (look: (now: number) => void): NodeJS.Timeout =>
  setInterval(() => setImmediate(look, Date.now()), CLOCK_MS).unref();

/**
 * Computes the silence, in milliseconds, that replaces audio that the other end of a line did not send. Late audio is
 * not dropped: it follows the silence that replaced it.
 */
export class AudioGaps {
  /** Where the next piece is expected, in the sender's time; null before the first one. */
  private expectedMs: number | null = null;
  /** Silence that was put in since the last piece. */
  private filledMs = 0;
  private arrivedAt: number;
  private readonly knownTimestamps = new Set<number>();

  constructor(startedAt: number) {
    this.arrivedAt = startedAt;
  }

  /** Whether a piece with this time of the sender has arrived before; 0 and null tell nothing. */
  isRepeated(timestampMs: number | null): boolean {
    if (!timestampMs) return false;
    if (this.knownTimestamps.has(timestampMs)) return true;
    this.knownTimestamps.add(timestampMs);
    const [oldest] = this.knownTimestamps;
    if (oldest !== undefined && this.knownTimestamps.size > MAX_KNOWN_TIMESTAMPS)
      this.knownTimestamps.delete(oldest);
    return false;
  }

  /** A piece arrives. @param timestampMs the sender's time of it; null: it does not say, and follows the one before */
  gapBefore(timestampMs: number | null, durationMs: number, now: number): number {
    const expectedMs = this.expectedMs ?? timestampMs ?? 0;
    const missingMs = Math.max(0, (timestampMs ?? expectedMs) - expectedMs);
    const gapMs = missingMs < MIN_GAP_MS ? 0 : Math.min(missingMs, MAX_GAP_MS);
    const fillMs = Math.max(0, gapMs - this.filledMs);
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
