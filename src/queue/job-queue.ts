import { Injectable, SetMetadata } from '@nestjs/common';
import type { AccountRow } from '#src/common/fairness/fair-scheduler.js';

/**
 * Every kind of background work. `slots`: how many of its rows one process works on at a time. `perAccount`: how
 * many of these one account may take; always fewer, so that no account blocks another's rows.
 */
export const JOB_KINDS = {
  // Rows that are worked on share transactions. Claims hold the account's lock: a second one of it would wait.
  'campaign-dial': { slots: 100, perAccount: 1 },
  'call-check': { slots: 8, perAccount: 4 },
  'call-wrap-up': { slots: 32, perAccount: 16 },
  // Requests have a limit of their own (ADR 7): most of these wait for a statement that they share.
  'webhook-delivery': { slots: 256, perAccount: 64 },
  'sms-check': { slots: 8, perAccount: 4 },
  'phone-number': { slots: 4, perAccount: 2 },
  recording: { slots: 4, perAccount: 2 },
  'campaign-removal': { slots: 2, perAccount: 1 },
  'chat-turn': { slots: 32, perAccount: 16 },
  'chat-end': { slots: 16, perAccount: 8 },
  // A document takes up to a processor.
  'knowledge-document': { slots: 2, perAccount: 1 },
  'knowledge-vectors': { slots: 4, perAccount: 1 },
  'personal-data': { slots: 2, perAccount: 1 },
} as const;

export type JobKind = keyof typeof JOB_KINDS;
export const ALL_JOB_KINDS = Object.keys(JOB_KINDS) as JobKind[];

export const JOB_PROCESSOR = 'queue:processor';

export type JobResult = 'done' | 'again';

/**
 * A processor of one kind of job, whose jobs are rows of a table (Bull carries only their ids). `process` claims the
 * row, or returns when it is not due, leased elsewhere or done; it is idempotent.
 */
export interface RowProcessor {
  /**
   * At most `limit` due rows without a lease, in turn by account. The cost must not depend on the number of an
   * account's due rows; see `DueRowReader`.
   */
  findDueRows(limit: number): Promise<JobRow[]>;
  /** A bounded piece of work: `again` puts the row behind other waiting rows. */
  process(rowId: string): Promise<JobResult | void>;
}

/** Marks the one processor of a job kind. */
export function JobProcessor(kind: JobKind): ClassDecorator {
  return (target) => {
    Injectable()(target);
    SetMetadata(JOB_PROCESSOR, kind)(target);
  };
}

export type JobRow = AccountRow;

/** Takes a wake-up at once; it never throws and works on the row later. False: it does not, too many rows wait. */
export type DueRowHandler = (kind: JobKind, row: JobRow) => boolean;

/** Moves wake-ups to a process that works on rows. Losing one costs time only: the reconciler finds the row. */
export abstract class JobQueue {
  /** Null: this process works on no rows. */
  protected handle: DueRowHandler | null = null;

  /** Never waits for the queue's server and never throws: safe after a commit, in any request. */
  abstract enqueue(kind: JobKind, row: JobRow, delayMs?: number): void;

  /** For a row that waited for something in this process, which works on it without the way through the queue. */
  offerLocally(kind: JobKind, row: JobRow): void {
    if (this.handle) this.handle(kind, row);
    else this.enqueue(kind, row);
  }

  /** What `noteSeen` was last given by any process; null: nothing, or it cannot be read. */
  abstract readSeen(): Promise<Date | null>;
  /** Keeps, outside of the database, when a service last used it. Never waits and never throws. */
  abstract noteSeen(seen: Date): void;

  abstract start(handle: DueRowHandler): Promise<void>;
  /** Stops handing over wake-ups. */
  abstract stop(): Promise<void>;
}
