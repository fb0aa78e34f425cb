import { waitedForCpuMs } from './cpu-meter.js';

const SAMPLE_MS = 50;

interface Sample {
  at: number;
  /** Since the start. */
  waitedMs: number;
}

/**
 * When processes waited for a processor in use by others. Such delays are no property of the processes; on an idle
 * machine there are none.
 */
export class ProcessorWaits {
  private readonly samples: Sample[] = [{ at: Date.now(), waitedMs: 0 }];
  private readonly last = new Map<number, number>();
  private readonly timer = setInterval(() => this.sample(), SAMPLE_MS).unref();

  /** @param pids of the processes that run */
  constructor(private readonly pids: () => readonly number[]) {}

  /** Milliseconds, of the process with the longest wait at each moment. @param from @param until since the epoch */
  between(from: number, until: number): number {
    const before = this.samples.findLast(({ at }) => at <= from) ?? this.samples[0];
    const after = this.samples.find(({ at }) => at >= until) ?? this.samples.at(-1);
    return Math.max(0, (after?.waitedMs ?? 0) - (before?.waitedMs ?? 0));
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private sample(): void {
    let longest = 0;
    for (const pid of this.pids()) {
      const now = waitedForCpuMs(pid);
      // Less than before: the process has ended.
      longest = Math.max(longest, now - (this.last.get(pid) ?? now));
      this.last.set(pid, now);
    }
    const waitedMs = (this.samples.at(-1)?.waitedMs ?? 0) + longest;
    this.samples.push({ at: Date.now(), waitedMs });
  }
}
