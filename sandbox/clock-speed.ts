import { setTimeout as sleep } from 'node:timers/promises';

/** How fast callees ring, think and talk compared with real time. Limits set by a request stay in real seconds. */
export class ClockSpeed {
  constructor(private readonly speed: number) {
    if (!(speed > 0)) throw new RangeError('The sandbox speed must be a number above 0, e.g. 1 or 20.');
  }

  /** Real milliseconds for `ms` of simulated time. */
  real(ms: number): number {
    return ms / this.speed;
  }

  /** Waits `ms` of simulated time; rejects as soon as the signal aborts. */
  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await sleep(this.real(ms), undefined, { signal });
  }
}
