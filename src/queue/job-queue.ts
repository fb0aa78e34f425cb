import { Injectable, SetMetadata } from '@nestjs/common';

/** Every kind of background work, with how many of its rows one process works on at a time. */
export const JOB_KINDS = {
  'campaign-dial': { concurrency: 4 },
  'call-check': { concurrency: 4 },
  'call-wrap-up': { concurrency: 16 },
  'webhook-delivery': { concurrency: 64 },
  'sms-check': { concurrency: 4 },
} as const;

export type JobKind = keyof typeof JOB_KINDS;
export const ALL_JOB_KINDS = Object.keys(JOB_KINDS) as JobKind[];

export const JOB_PROCESSOR = 'queue:processor';

/**
 * Works on rows of one kind. The row is the truth: `process` claims it (or returns when it is not due, leased
 * elsewhere or done), so being called twice for one row does no harm.
 */
export interface RowProcessor {
  /** Ids of rows that are due and not leased, at most `limit`: what a lost queue would have forgotten. */
  due(limit: number): Promise<string[]>;
  process(rowId: string): Promise<void>;
}

/** Marks the one processor of a job kind. */
export function JobProcessor(kind: JobKind): ClassDecorator {
  return (target) => {
    Injectable()(target);
    SetMetadata(JOB_PROCESSOR, kind)(target);
  };
}

export type JobRunner = (kind: JobKind, rowId: string) => Promise<void>;

/** Moves row ids to a process that works on them. Losing a wake-up costs time only: the reconciler finds the row. */
export abstract class JobQueue {
  /** Never waits for the queue's server and never throws: safe after a commit, in any request. */
  abstract enqueue(kind: JobKind, rowId: string | number, delayMs?: number): void;
  /** Like `wake`, but does nothing while the same row already waits. */
  abstract enqueueOnce(kind: JobKind, rowId: string): void;
  abstract start(run: JobRunner): Promise<void>;
  /** Stops taking work and waits for what runs. */
  abstract stop(): Promise<void>;
}
