import type { JobRow } from './job-queue.js';

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
 * Finds due rows of one job kind without a wake-up: every `everyMs` and, during a backlog, as soon as a slot is free.
 */
export class Reconciliation {
  private timer: NodeJS.Timeout | null = null;
  private looking: Promise<void> | null = null;
  private lookedAt = 0;
  private stopped = false;
  /** Rows found since `seenSince`; rows that stay due after each processing are no backlog. */
  private readonly seen = new Set<string>();
  private seenSince = 0;
  /** A backlog outlasts looks that find few rows: those of parties that have all their slots are left out. */
  private backlogUntil = 0;
  private isFollowing = false;

  constructor(
    private readonly parts: Parts,
    private readonly everyMs: number,
  ) {}

  start(): void {
    this.plan(0);
  }

  /** A row is done and a slot is free. */
  onCapacity(): void {
    const now = Date.now();
    if (now >= this.backlogUntil || this.looking || this.isFollowing) return;
    this.isFollowing = true;
    this.plan(Math.max(0, this.lookedAt + AT_LEAST_MS - now));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.looking;
  }

  private plan(delayMs: number): void {
    if (this.timer) clearTimeout(this.timer);
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.isFollowing = false;
      this.looking = this.look().finally(() => {
        this.looking = null;
        this.plan(this.everyMs);
      });
    }, delayMs);
  }

  private async look(): Promise<void> {
    this.lookedAt = Date.now();
    if (this.lookedAt >= this.seenSince + this.everyMs) {
      this.seen.clear();
      this.seenSince = this.lookedAt;
    }
    try {
      const rows = await this.parts.due(LIMIT);
      const hasNew = rows.some(({ id }) => !this.seen.has(String(id)));
      if (rows.length >= MANY) this.backlogUntil = hasNew ? Date.now() + this.everyMs : 0;
      for (const row of rows) {
        this.seen.add(String(row.id));
        this.parts.offer(row);
      }
    } catch (error) {
      this.parts.failed(error);
    }
  }
}
