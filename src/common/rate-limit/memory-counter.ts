import { RequestCounter, WINDOW_MS, type Usage } from './request-counter.js';

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
