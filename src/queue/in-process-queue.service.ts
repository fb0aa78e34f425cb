import { Injectable } from '@nestjs/common';
import { JOB_KINDS, type JobKind, JobQueue, type JobRunner } from './job-queue.js';

interface Lane {
  waiting: Set<string>;
  running: Set<Promise<void>>;
}

/** The runner for a machine without Redis: the same rows, moved within this process. */
@Injectable()
export class InProcessQueueService extends JobQueue {
  private readonly lanes = new Map<JobKind, Lane>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private run: JobRunner | null = null;

  enqueue(kind: JobKind, rowId: string | number, delayMs = 0): void {
    if (delayMs <= 0) return this.admit(kind, String(rowId));
    // Later than a timer can hold: the reconciler finds the row when it is due.
    if (delayMs > 2_147_483_647) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.admit(kind, String(rowId));
    }, delayMs);
    timer.unref();
    this.timers.add(timer);
  }

  enqueueOnce(kind: JobKind, rowId: string): void {
    this.admit(kind, rowId);
  }

  async start(run: JobRunner): Promise<void> {
    this.run = run;
    for (const kind of this.lanes.keys()) this.pump(kind);
  }

  async stop(): Promise<void> {
    this.run = null;
    for (const timer of this.timers) clearTimeout(timer);
    await Promise.all([...this.lanes.values()].flatMap((lane) => [...lane.running]));
  }

  private admit(kind: JobKind, rowId: string): void {
    this.lane(kind).waiting.add(rowId);
    this.pump(kind);
  }

  private pump(kind: JobKind): void {
    const { waiting, running } = this.lane(kind);
    for (const rowId of waiting) {
      if (!this.run || running.size >= JOB_KINDS[kind].concurrency) return;
      waiting.delete(rowId);
      const job = this.run(kind, rowId)
        // Told by whoever runs it; the row is found again when it is due.
        .catch(() => undefined)
        .finally(() => {
          running.delete(job);
          this.pump(kind);
        });
      running.add(job);
    }
  }

  private lane(kind: JobKind): Lane {
    const lane = this.lanes.get(kind) ?? { waiting: new Set(), running: new Set() };
    this.lanes.set(kind, lane);
    return lane;
  }
}
