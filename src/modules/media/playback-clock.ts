/** Marks of this time tell what the way of a mark takes; the network may have changed since older ones. */
const KNOWN_FOR_MS = 1_000;
/** A mark that is later than those before it by more than this tells of a pause in the playback, not of its way. */
const PAUSE_MS = 500;

interface Delay {
  at: number;
  ms: number;
}

/**
 * When audio that a line was given is played. A line plays in real time and without gaps while it has audio, so a mark
 * is due when all audio before it can have been played. It comes back later than that: by the way there and back, which
 * is always the same, and by pauses of networks and processes, which differ from mark to mark. The mark that was least
 * late tells the way.
 */
export class PlaybackClock {
  /** When all that was sent has been played, on a line without a way. */
  private endsAt = 0;
  private delays: Delay[] = [];

  /** Audio is sent. @returns when it has been played, on a line without a way */
  recordSent(durationMs: number, now: number): number {
    // A mark that came before it was due told that a line had played ahead; new audio it cannot have.
    if (now >= this.endsAt) this.delays = this.delays.map(({ at, ms }) => ({ at, ms: Math.max(0, ms) }));
    this.endsAt = Math.max(this.endsAt, now) + durationMs;
    return this.endsAt;
  }

  /** The mark after audio came back. @param endsAt what `sent` told */
  recordMark(endsAt: number, now: number): void {
    const ms = now - endsAt;
    const known = ms - this.delayMs > PAUSE_MS ? [] : this.delays;
    this.delays = [...known.filter(({ at }) => now - at < KNOWN_FOR_MS), { at: now, ms }];
    // Nothing is left: what comes next is not played before it is sent.
    if (endsAt === this.endsAt) this.endsAt = Math.min(endsAt, now);
  }

  /** All that was sent and is not played yet was discarded. */
  recordClear(): void {
    this.endsAt = 0;
  }

  /** For how long audio is not played to its end. @param endsAt what `sent` told */
  remainingMs(endsAt: number, now: number): number {
    return Math.max(0, endsAt + this.delayMs - now);
  }

  private get delayMs(): number {
    return this.delays.length === 0 ? 0 : Math.min(...this.delays.map(({ ms }) => ms));
  }
}
