import { Injectable, SetMetadata } from '@nestjs/common';
import type { AccountRow } from '#src/common/fairness/fair-scheduler.js';

/**
 * Every kind of background work. `places`: how many of its rows one process works on at a time. `perAccount`: how
 * many of these one account may take; always fewer, so that no account holds up another's row.
 */
export const JOB_KINDS = {
  // Claims hold the account's lock: a second one of the same account would only wait for it.
  'campaign-dial': { places: 4, perAccount: 1 },
  'call-check': { places: 8, perAccount: 4 },
  'call-wrap-up': { places: 32, perAccount: 16 },
  'webhook-delivery': { places: 64, perAccount: 16 },
  'sms-check': { places: 8, perAccount: 4 },
  'campaign-removal': { places: 2, perAccount: 1 },
} as const;

export type JobKind = keyof typeof JOB_KINDS;
export const ALL_JOB_KINDS = Object.keys(JOB_KINDS) as JobKind[];

export const JOB_PROCESSOR = 'queue:processor';

export type JobResult = 'done' | 'again';

/**
 * Works on rows of one kind. The row is the truth: `process` claims it (or returns when it is not due, leased
 * elsewhere or done), so being called twice for one row does no harm.
 */
export interface RowProcessor {
  /**
   * Rows that are due and not leased, at most `limit`, of every account that has some: what a lost queue would have
   * forgotten. Must cost the same whether an account has one due row or a million; see `DueRows`.
   */
  due(limit: number): Promise<JobRow[]>;
  /** A bounded piece of work: `again` puts the row behind those of others that wait for a place. */
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

/** Takes a wake-up at once; it never throws and works on the row later. */
export type WakeHandler = (kind: JobKind, row: JobRow) => void;

/** Moves wake-ups to a process that works on rows. Losing one costs time only: the reconciler finds the row. */
export abstract class JobQueue {
  /** Never waits for the queue's server and never throws: safe after a commit, in any request. */
  abstract enqueue(kind: JobKind, row: JobRow, delayMs?: number): void;
  abstract start(handle: WakeHandler): Promise<void>;
  /** Stops handing over wake-ups. */
  abstract stop(): Promise<void>;
}
