import type { JobKind } from './job-kinds.js';

export type JobRunner = (kind: JobKind, rowId: string) => Promise<void>;

/** Moves row ids to a process that works on them. Losing a wake-up costs time only: the reconciler finds the row. */
export abstract class JobQueue {
  /** Never waits for the queue's server and never throws: safe after a commit, in any request. */
  abstract wake(kind: JobKind, rowId: string | number, delayMs?: number): void;
  /** Like `wake`, but does nothing while the same row already waits. */
  abstract remind(kind: JobKind, rowId: string): void;
  abstract start(run: JobRunner): Promise<void>;
  /** Stops taking work and waits for what runs. */
  abstract stop(): Promise<void>;
}
