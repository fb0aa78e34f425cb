import { AsyncLocalStorage } from 'node:async_hooks';

/** Log ids and connection quota of the running work. */
export interface WorkContext {
  /** Ids that every line carries which is logged; they may be added to while the work runs. */
  ids?: { requestId?: string; callId?: number; job?: string; rowId?: string };
  /** Whose share of the database connections counts: an account's by its id, or that of all background work. */
  owner?: number | 'jobs' | undefined;
}

const storage = new AsyncLocalStorage<WorkContext>();

export const workContext = (): WorkContext | undefined => storage.getStore();

/** Runs work in the context that is there, with these parts instead of its own. */
export const runInContext = <T>(parts: WorkContext, work: () => T): T =>
  storage.run({ ...storage.getStore(), ...parts }, work);
