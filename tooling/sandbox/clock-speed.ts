/** Interval of the clock while any wait is pending. */
const BEAT_MS = 20;
/** Maximum time that passes between two ticks: for the rest, the process waited for a processor. */
const LONGEST_BEAT_MS = 2 * BEAT_MS;

export interface Timer {
  clear(): void;
}

/**
 * Factor between simulated and real time for callees' ringing, thinking and speaking. Limits of a request stay in
 * real seconds. Time in which a busy machine does not run the process does not count: pending input is read before
 * more of it passes.
 */
export class ClockSpeed {
  private passedMs = 0;
  private seenAt = performance.now();
  private readonly timers = new Set<Timer>();
  private beat: NodeJS.Timeout | undefined;

  constructor(private readonly speed: number) {
    if (!(speed > 0)) throw new RangeError('The sandbox speed must be a number above 0, e.g. 1 or 20.');
  }

  /** Real milliseconds for `ms` of simulated time. */
  real(ms: number): number {
    return ms / this.speed;
  }

  /** Real milliseconds since any moment. */
  now(): number {
    const at = performance.now();
    this.passedMs += this.timers.size > 0 ? Math.min(at - this.seenAt, LONGEST_BEAT_MS) : at - this.seenAt;
    this.seenAt = at;
    return this.passedMs;
  }

  /** Calls after `ms` real milliseconds. */
  after(ms: number, call: () => void): Timer {
    const dueAt = this.now() + ms;
    let timeout: NodeJS.Timeout;
    const wait = (): void => {
      timeout = setTimeout(() => {
        if (this.now() < dueAt - 1) return wait();
        timer.clear();
        call();
      }, dueAt - this.now());
    };
    const timer = {
      clear: (): void => {
        clearTimeout(timeout);
        this.timers.delete(timer);
        if (this.timers.size > 0) return;
        clearInterval(this.beat);
        this.beat = undefined;
      },
    };
    this.timers.add(timer);
    this.beat ??= setInterval(() => this.now(), BEAT_MS);
    wait();
    return timer;
  }

  /** Waits `ms` of simulated time; rejects as soon as the signal aborts. */
  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const abort = (): void => {
        timer.clear();
        reject(signal?.reason as Error);
      };
      const timer = this.after(this.real(ms), () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      });
      signal?.addEventListener('abort', abort, { once: true });
    });
  }
}
