import { Logger } from '@nestjs/common';
import type { Queue } from 'bull';
import { type JobKind, JobQueue, type JobRow, type WakeHandler } from './job-queue.js';

/** Finished jobs are removed: the outcome is in their row. */
const TRACELESS = { removeOnComplete: true, removeOnFail: true, attempts: 1 } as const;
/** Jobs of a kind that are on their way from Redis at a time; each is done as soon as it has arrived. */
const CONCURRENCY = 16;

/** A Bull queue of wake-ups. Jobs that an older version added name no account. */
export type BullRows = Queue<{ id: string; accountId?: number }>;

/** A job only carries a wake-up to a worker, which assigns a slot to the row. */
export class BullQueueService extends JobQueue {
  private readonly logger = new Logger(BullQueueService.name);
  private readonly queues = new Map<JobKind, BullRows>();
  private isAway = false;

  constructor(queues: BullRows[]) {
    super();
    for (const queue of queues) {
      queue.on('error', (error) => this.report(error));
      this.queues.set(queue.name as JobKind, queue);
    }
    // All queues share one connection.
    queues[0]?.client.on('ready', () => this.reportReturn());
  }

  enqueue(kind: JobKind, { id, accountId }: JobRow, delayMs = 0): void {
    this.queues
      .get(kind)
      ?.add({ id: String(id), accountId }, { ...TRACELESS, delay: Math.max(0, Math.round(delayMs)) })
      .then(() => this.reportReturn())
      .catch((error: unknown) => this.report(error));
  }

  async start(handle: WakeHandler): Promise<void> {
    for (const [kind, queue] of this.queues) {
      // Bull resolves this only when the queue closes.
      queue
        .process(CONCURRENCY, async ({ data: { id, accountId = 0 } }) => handle(kind, { id, accountId }))
        .catch((error: unknown) => this.report(error));
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.pause(true).catch(() => undefined)));
  }

  /** Logs an outage of Redis once, not per command. */
  private report(error: unknown): void {
    if (this.isAway) return;
    this.isAway = true;
    const reason = error instanceof Error ? error.message : 'unknown error';
    this.logger.warn(
      `The queue's Redis does not answer (${reason}); due work is found in its rows, up to two seconds later`,
    );
  }

  private reportReturn(): void {
    if (!this.isAway) return;
    this.isAway = false;
    this.logger.log("The queue's Redis answers again");
  }
}
