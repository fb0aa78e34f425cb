/** Keys that are counted in memory at once. */
const MAX_KEYS = 100_000;

/** Counts by key in windows of fixed length that begin with a key's first count. In the memory of this process. */
export class FixedWindowCounter {
  private readonly windows = new Map<string, { count: number; endsAt: number }>();

  /**
   * @param max counts of one key in a window
   * @param windowMs length of a window, in milliseconds
   */
  constructor(
    private readonly max: number,
    private readonly windowMs: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** @returns the seconds that are left of the window when this count is one too many; null: it is not */
  count(key: string): number | null {
    const now = this.now();
    let window = this.windows.get(key);
    if (!window || window.endsAt <= now) {
      if (this.windows.size >= MAX_KEYS) this.windows.clear();
      window = { count: 0, endsAt: now + this.windowMs };
      this.windows.set(key, window);
    }
    window.count += 1;
    return window.count > this.max ? secondsTo(window.endsAt, now) : null;
  }

  /** The same without counting: whether the key has used its window up. */
  secondsLeft(key: string): number | null {
    const now = this.now();
    const window = this.windows.get(key);
    return window && window.endsAt > now && window.count >= this.max ? secondsTo(window.endsAt, now) : null;
  }
}

const secondsTo = (end: number, now: number): number => Math.ceil((end - now) / 1000);
