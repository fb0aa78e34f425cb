import { AsyncLocalStorage } from 'node:async_hooks';

/** Who does the running work. */
export interface Actor {
  /** `key`: a request with an API key; `link`: whoever has a signed link; `system`: the service itself. */
  type: 'key' | 'cli' | 'link' | 'system';
  /** Of the API key. */
  id: number | null;
  /** Of the API key, or the operator's user name on the machine of the command. */
  name: string | null;
  /** IP address of the client. */
  address: string | null;
  requestId: string | null;
}

/** Log ids, connection quota and actor of the running work. */
export interface WorkContext {
  /** Ids that every line carries which is logged; they may be added to while the work runs. */
  ids?: { requestId?: string; callId?: number; job?: string; rowId?: string };
  /** Whose share of the database connections counts: an account's by its id, or that of all background work. */
  owner?: number | 'jobs' | undefined;
  /** Absent: the service itself. */
  actor?: Actor | undefined;
}

const storage = new AsyncLocalStorage<WorkContext>();

export const workContext = (): WorkContext | undefined => storage.getStore();

/** The API key of the running request, which what it starts is counted for; null: none. */
export function currentKeyId(): number | null {
  const actor = storage.getStore()?.actor;
  return actor?.type === 'key' ? actor.id : null;
}

/** Runs work in the context that is there, with these parts instead of its own. */
export const runInContext = <T>(parts: WorkContext, work: () => T): T =>
  storage.run({ ...storage.getStore(), ...parts }, work);
