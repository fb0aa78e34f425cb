export interface Usage {
  /** Requests of the window, this one included. */
  count: number;
  /** Until the window ends. */
  resetMs: number;
}

export const WINDOW_MS = 60_000;

/** Counts requests by key in windows of a minute; a window begins with its first request. */
export abstract class RequestCounter {
  /** Ends when counting has begun, soon in any case. */
  abstract ready(): Promise<void>;
  /** @returns null when nobody can tell: the request is let through. */
  abstract count(key: string): Promise<Usage | null>;
  abstract close(): void;
}

interface Window {
  count: number;
  endsAt: number;
}

/** For a service that is one process. */
export class MemoryCounter extends RequestCounter {
  private readonly windows = new Map<string, Window>();
  private readonly sweeper = setInterval(() => this.sweep(), WINDOW_MS).unref();

  constructor(private readonly now: () => number = () => performance.now()) {
    super();
  }

  async ready(): Promise<void> {}

  async count(key: string): Promise<Usage> {
    const now = this.now();
    const known = this.windows.get(key);
    const window = known && known.endsAt > now ? known : { count: 0, endsAt: now + WINDOW_MS };
    window.count++;
    this.windows.set(key, window);
    return { count: window.count, resetMs: window.endsAt - now };
  }

  close(): void {
    clearInterval(this.sweeper);
  }

  private sweep(): void {
    const now = this.now();
    for (const [key, { endsAt }] of this.windows) if (endsAt <= now) this.windows.delete(key);
  }
}
