/** A line sends at most 50 frames of audio a second; eight seconds of them may arrive at once, after a stall. */
const FRAMES_PER_SECOND = 200;
const MAX_AT_ONCE = 400;

/** How many frames are taken from a socket: 200 a second, and 400 at once. */
export class FrameRateLimit {
  private left = MAX_AT_ONCE;

  constructor(private at: number) {}

  /** Whether one more is taken. @param now in milliseconds */
  accepts(now: number): boolean {
    this.left = Math.min(MAX_AT_ONCE, this.left + (Math.max(0, now - this.at) * FRAMES_PER_SECOND) / 1000);
    this.at = now;
    if (this.left < 1) return false;
    this.left -= 1;
    return true;
  }
}
