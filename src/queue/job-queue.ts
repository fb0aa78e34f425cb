import type { AccountRow } from '#src/common/fairness/account-row.js';
import type { JobKind } from './job-kinds.js';

export type JobRow = AccountRow;

/** Takes a wake-up at once; it never throws and works on the row later. */
export type WakeHandler = (kind: JobKind, row: JobRow) => void;

/** Moves wake-ups to a process that works on rows. Losing one costs time only: the reconciler finds the row. */
export abstract class JobQueue {
  /** Never waits for the queue's server and never throws: safe after a commit, in any request. */
  abstract wake(kind: JobKind, row: JobRow, delayMs?: number): void;
  abstract start(handle: WakeHandler): Promise<void>;
  /** Stops handing over wake-ups. */
  abstract stop(): Promise<void>;
}
