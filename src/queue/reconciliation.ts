import type { JobRow } from './job-queue.js';

const EVERY_MS = 2_000;
/** Shortest interval of look-ups during a backlog. */
const AT_LEAST_MS = 100;
const LIMIT = 200;
/** This many rows in one look-up indicate a backlog. */
const MANY = 50;

interface Parts {
  due(limit: number): Promise<JobRow[]>;
  offer(row: JobRow): void;
  failed(error: unknown): void;
}

/**
 * Finds due rows of one job kind without a wake-up: every two seconds and, during a backlog, as soon as a slot is
 * free.
 */
export class Reconciliation {
  private timer: NodeJS.Timeout | null = null;
  private looking: Promise<void> | null = null;
  private lookedAt = 0;
  private stopped = false;
  /** Rows found since the last look on time; those that stay due however often they are worked on are no backlog. */
  private seen = new Set<string>();
  private hasBacklog = false;

  constructor(private readonly parts: Parts) {}

  start(): void {
    this.plan(0);
  }

  /** A row is done and a slot is free. */
  slotIsFree(): void {
    if (!this.hasBacklog || this.looking) return;
    this.hasBacklog = false;
    this.plan(Math.max(0, this.lookedAt + AT_LEAST_MS - Date.now()), true);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.looking;
  }

  private plan(delayMs: number, follows = false): void {
    if (this.timer) clearTimeout(this.timer);
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      if (!follows) this.seen.clear();
      this.looking = this.look().finally(() => {
        this.looking = null;
        this.plan(EVERY_MS);
      });
    }, delayMs);
  }

  private async look(): Promise<void> {
    this.lookedAt = Date.now();
    try {
      const rows = await this.parts.due(LIMIT);
      this.hasBacklog = rows.length >= MANY && rows.some(({ id }) => !this.seen.has(String(id)));
      for (const row of rows) {
        this.seen.add(String(row.id));
        this.parts.offer(row);
      }
    } catch (error) {
      this.parts.failed(error);
    }
  }
}
