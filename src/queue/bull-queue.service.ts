import { Logger } from '@nestjs/common';
import type { Queue } from 'bull';
import { JOB_KINDS, type JobKind, JobQueue, type JobRunner } from './job-queue.js';

/** Finished jobs leave nothing behind: their row tells what became of them. */
const TRACELESS = { removeOnComplete: true, removeOnFail: true, attempts: 1 } as const;
/** A row that still waits then is told of once more; whoever takes it second finds it claimed. */
const REMINDER_WINDOW_MS = 30_000;
const ERROR_LOG_INTERVAL_MS = 10_000;

/** A Bull queue of row ids. */
export type BullRows = Queue<{ id: string }>;

export class BullQueueService extends JobQueue {
  private readonly logger = new Logger(BullQueueService.name);
  private readonly queues = new Map<JobKind, BullRows>();
  private loggedAt = 0;

  constructor(queues: BullRows[]) {
    super();
    for (const queue of queues) {
      queue.on('error', (error) => this.report(error));
      this.queues.set(queue.name as JobKind, queue);
    }
  }

  enqueue(kind: JobKind, rowId: string | number, delayMs = 0): void {
    this.add(kind, String(rowId), { delay: Math.max(0, Math.round(delayMs)) });
  }

  enqueueOnce(kind: JobKind, rowId: string): void {
    // A Redis that lost its data while a job ran keeps a remnant of it, which refuses its id from then on.
    const window = Math.floor(Date.now() / REMINDER_WINDOW_MS);
    this.add(kind, rowId, { jobId: `due-${rowId}-${window}` });
  }

  async start(run: JobRunner): Promise<void> {
    for (const [kind, queue] of this.queues) {
      // Bull resolves this only when the queue closes.
      queue
        .process(JOB_KINDS[kind].concurrency, (job) => run(kind, job.data.id))
        .catch((error: unknown) => this.report(error));
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.pause(true).catch(() => undefined)));
  }

  private add(kind: JobKind, id: string, options: { delay?: number; jobId?: string }): void {
    this.queues
      .get(kind)
      ?.add({ id }, { ...TRACELESS, ...options })
      .catch((error: unknown) => this.report(error));
  }

  /** Redis being away is one fact, not one line per command. */
  private report(error: unknown): void {
    if (Date.now() - this.loggedAt < ERROR_LOG_INTERVAL_MS) return;
    this.loggedAt = Date.now();
    const reason = error instanceof Error ? error.message : 'unknown error';
    this.logger.warn(
      `The queue's Redis does not answer (${reason}); work waits in its rows until it is back`,
    );
  }
}
