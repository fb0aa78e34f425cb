import { Injectable, SetMetadata } from '@nestjs/common';
import type { JobKind } from './job-kinds.js';
import type { JobRow } from './job-queue.js';

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
