import { Logger } from '@nestjs/common';
import type { Queue } from 'bull';
import { type JobKind, JobQueue, type JobRow, type DueRowHandler } from './job-queue.js';

/** Finished jobs are removed: the outcome is in their row. */
const TRACELESS = { removeOnComplete: true, removeOnFail: true, attempts: 1 } as const;
/** Jobs of a kind that are on their way from Redis at a time; each is done as soon as it has arrived. */
const CONCURRENCY = 16;

/** Rows that one job names. */
const MAX_ROWS = 50;

/** Jobs that an older version added name one row, and maybe no account. */
type RowNotification = { rows: JobRow[] } | { id: string; accountId?: number };

/** A Bull queue of wake-ups. */
export type BullRowQueue = Queue<RowNotification>;

/**
 * A job only carries wake-ups to a worker, which assigns slots to the rows. Rows that are due at once share a job: for
 * a job of its own, each would take more of the processor than its statements.
 */
export class BullQueueService extends JobQueue {
  private readonly logger = new Logger(BullQueueService.name);
  private readonly queues = new Map<JobKind, BullRowQueue>();
  /** Of this turn of the event loop. */
  private readonly gathered = new Map<JobKind, JobRow[]>();
  private isAway = false;

  private readonly server: BullRowQueue['client'] | undefined;

  /** @param seenKey under which `noteSeen` stores */
  constructor(
    queues: BullRowQueue[],
    private readonly seenKey = 'calls:seen',
  ) {
    super();
    this.server = queues[0]?.client;
    for (const queue of queues) {
      queue.on('error', (error) => this.report(error));
      this.queues.set(queue.name as JobKind, queue);
    }
    // All queues share one connection.
    this.server?.on('ready', () => this.reportReturn());
  }

  enqueue(kind: JobKind, { id, accountId }: JobRow, delayMs = 0): void {
    const row = { id: String(id), accountId };
    const delay = Math.max(0, Math.round(delayMs));
    if (delay > 0) return this.add(kind, [row], delay);
    const rows = this.gathered.get(kind) ?? [];
    if (rows.length === 0) setImmediate(() => this.addGathered(kind));
    this.gathered.set(kind, rows);
    rows.push(row);
  }

  async readSeen(): Promise<Date | null> {
    try {
      const text = (await this.server?.get(this.seenKey)) ?? null;
      return text === null ? null : new Date(Number(text));
    } catch (error) {
      this.report(error);
      return null;
    }
  }

  noteSeen(seen: Date): void {
    this.server?.set(this.seenKey, seen.getTime()).catch((error: unknown) => this.report(error));
  }

  async start(handle: DueRowHandler): Promise<void> {
    this.handle = handle;
    for (const [kind, queue] of this.queues) {
      // Bull resolves this only when the queue closes.
      queue
        .process(CONCURRENCY, async ({ data }) => {
          for (const row of rowsOf(data)) handle(kind, row);
        })
        .catch((error: unknown) => this.report(error));
    }
  }

  async stop(): Promise<void> {
    this.handle = null;
    await Promise.all([...this.queues.values()].map((queue) => queue.pause(true).catch(() => undefined)));
  }

  private addGathered(kind: JobKind): void {
    const rows = this.gathered.get(kind) ?? [];
    this.gathered.delete(kind);
    for (let from = 0; from < rows.length; from += MAX_ROWS)
      this.add(kind, rows.slice(from, from + MAX_ROWS), 0);
  }

  private add(kind: JobKind, rows: JobRow[], delay: number): void {
    this.queues
      .get(kind)
      ?.add({ rows }, { ...TRACELESS, delay })
      .then(() => this.reportReturn())
      .catch((error: unknown) => this.report(error));
  }

  /** Logs an outage of Redis once, not per command. */
  private report(error: unknown): void {
    if (this.isAway) return;
    this.isAway = true;
    const reason = error instanceof Error ? error.message : 'unknown error';
    this.logger.warn(
      `The queue's Redis does not respond (${reason}): every process looks for due rows itself, jobs start later`,
    );
  }

  private reportReturn(): void {
    if (!this.isAway) return;
    this.isAway = false;
    this.logger.log("The queue's Redis responds again");
  }
}

const rowsOf = (data: RowNotification): JobRow[] =>
  'rows' in data ? data.rows : [{ id: data.id, accountId: data.accountId ?? 0 }];
