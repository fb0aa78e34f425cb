import { Injectable } from '@nestjs/common';
import { type JobKind, JobQueue, type JobRow, type DueRowHandler } from './job-queue.js';

/** Most delayed wake-ups in memory; reconciliation finds the rows of further ones. */
const MAX_TIMERS = 10_000;
const LONGEST_TIMER_MS = 2_147_483_647;

/** The queue of a machine without Redis: wake-ups stay within this process. */
@Injectable()
export class InProcessQueueService extends JobQueue {
  private readonly timers = new Set<NodeJS.Timeout>();

  enqueue(kind: JobKind, { id, accountId }: JobRow, delayMs = 0): void {
    const row = { id, accountId };
    if (delayMs <= 0) {
      this.handle?.(kind, row);
      return;
    }
    if (delayMs > LONGEST_TIMER_MS || this.timers.size >= MAX_TIMERS) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.handle?.(kind, row);
    }, delayMs);
    timer.unref();
    this.timers.add(timer);
  }

  /** There is nothing outside of the database that outlives this process. */
  async readSeen(): Promise<null> {
    return null;
  }

  noteSeen(): void {}

  async start(handle: DueRowHandler): Promise<void> {
    this.handle = handle;
  }

  async stop(): Promise<void> {
    this.handle = null;
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }
}
