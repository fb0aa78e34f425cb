import { Clock } from './clock.js';

interface Timer {
  at: number;
  task: () => void;
}

/** A clock that moves only by `advance()`. */
export class FakeClock extends Clock {
  private readonly timers = new Set<Timer>();

  constructor(private time = 0) {
    super();
  }

  override now(): number {
    return this.time;
  }

  override setTimeout(task: () => void, ms: number): () => void {
    const timer = { at: this.time + ms, task };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  get pending(): number {
    return this.timers.size;
  }

  /** Runs all timers due within `ms` in order, with their promises. */
  async advance(ms: number): Promise<void> {
    const until = this.time + ms;
    await flushPromises();
    for (let next = this.next(until); next; next = this.next(until)) {
      this.timers.delete(next);
      this.time = Math.max(this.time, next.at);
      next.task();
      await flushPromises();
    }
    this.time = until;
  }

  private next(until: number): Timer | undefined {
    return [...this.timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
  }
}

/** Runs all pending promise callbacks that do not wait for a timer. */
export const flushPromises = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
