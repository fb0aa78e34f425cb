const WINDOW_MS = 60_000;
/** Addresses that are counted in this process. */
const MAX_KEYS = 100_000;

/** Counts what each key does in a minute, in this process. */
export class KeyedCounter {
  private readonly windows = new Map<string, { requests: number; endsAt: number }>();

  constructor(private readonly max: number) {}

  /** Counts one. @returns when the next one may come; null: this one may */
  secondsLeft(key: string): number | null {
    const now = Date.now();
    let window = this.windows.get(key);
    if (!window || window.endsAt <= now) {
      if (this.windows.size >= MAX_KEYS) this.windows.clear();
      window = { requests: 0, endsAt: now + WINDOW_MS };
      this.windows.set(key, window);
    }
    window.requests += 1;
    return window.requests > this.max ? Math.ceil((window.endsAt - now) / 1000) : null;
  }
}
