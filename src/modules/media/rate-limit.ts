export interface Rate {
  perSecond: number;
  /** After a stall of the network. */
  atOnce: number;
}

/** A line sends at most 50 frames of audio a second. */
export const FRAME_RATE: Rate = { perSecond: 200, atOnce: 400 };

/** How much is taken from a socket. */
export class RateLimit {
  private left: number;

  constructor(
    private readonly rate: Rate,
    private at: number,
  ) {
    this.left = rate.atOnce;
  }

  /** Whether so much more is taken. @param now in milliseconds */
  accepts(now: number, amount = 1): boolean {
    const { perSecond, atOnce } = this.rate;
    this.left = Math.min(atOnce, this.left + (Math.max(0, now - this.at) * perSecond) / 1000);
    this.at = now;
    if (this.left < amount) return false;
    this.left -= amount;
    return true;
  }
}
