import { Injectable, SetMetadata } from '@nestjs/common';
import type { JobKind } from './job-kinds.js';

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
