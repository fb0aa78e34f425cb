/** The network may have changed since an older mark. */
const KNOWN_FOR_MS = 1_000;
/** Marks that measure the latency: one may be late by chance, and after a pause of the playback all of them are. */
const COMPARED_MARKS = 2;
/** A mark that is later than the previous ones by more than this means a pause in the playback, not latency. */
const PAUSE_MS = 500;

interface Delay {
  at: number;
  ms: number;
}

/**
 * When audio that a line was given is played. A line plays in real time and without gaps while it has audio, so a mark
 * is due when all audio before it can have been played. It returns later than that: by the latency, which is constant,
 * and by pauses of networks and processes, which differ from mark to mark. The smaller delay of the last two marks is
 * the latency: the smallest of many would count audio as played while a line without audio paused.
 */
export class PlaybackClock {
  /** The end of playback of all sent audio, on a line without latency. */
  private endsAt = 0;
  private delays: Delay[] = [];

  /** Audio is sent. @returns the end of its playback, on a line without latency */
  recordSent(durationMs: number, now: number): number {
    // A mark that returned early means that the line played ahead; it cannot play new audio ahead.
    if (now >= this.endsAt) this.delays = this.delays.map(({ at, ms }) => ({ at, ms: Math.max(0, ms) }));
    this.endsAt = Math.max(this.endsAt, now) + durationMs;
    return this.endsAt;
  }

  /** The mark after audio came back. @param endsAt the return value of `recordSent` */
  recordMark(endsAt: number, now: number): void {
    const ms = now - endsAt;
    const known = ms - this.delayMs > PAUSE_MS ? [] : this.delays;
    const recent = known.filter(({ at }) => now - at < KNOWN_FOR_MS);
    this.delays = [...recent, { at: now, ms }].slice(-COMPARED_MARKS);
    // No audio is left: later audio is not played before it is sent.
    if (endsAt === this.endsAt) this.endsAt = Math.min(endsAt, now);
  }

  /** All unplayed audio was discarded. */
  recordClear(): void {
    this.endsAt = 0;
  }

  /** For how long audio is not played to its end. @param endsAt the return value of `recordSent` */
  remainingMs(endsAt: number, now: number): number {
    return Math.max(0, endsAt + this.delayMs - now);
  }

  private get delayMs(): number {
    return this.delays.length === 0 ? 0 : Math.min(...this.delays.map(({ ms }) => ms));
  }
}
