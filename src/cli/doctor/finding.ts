import { messageOf } from '../output.js';

export interface Finding {
  name: string;
  /** `warn`: the service runs, but not as one would want it to in production. */
  state: 'ok' | 'warn' | 'fail';
  what: string;
  /** What helps; absent where nothing needs to be done. */
  todo?: string;
}

export type Verdict = Omit<Finding, 'name'>;

export const ok = (what: string): Verdict => ({ state: 'ok', what });
export const warn = (what: string, todo: string): Verdict => ({ state: 'warn', what, todo });
export const fail = (what: string, todo: string): Verdict => ({ state: 'fail', what, todo });

/** A check that breaks is a finding, too: the doctor never falls ill itself. */
export async function examine(name: string, check: () => Promise<Verdict>): Promise<Finding> {
  try {
    return { name, ...(await check()) };
  } catch (error) {
    return {
      name,
      ...fail(`could not be checked (${messageOf(error)})`, 'remove the reason and look again'),
    };
  }
}

const TIMEOUT_MS = 5_000;

interface Reply {
  /** Null: no answer came, see `error`. */
  status: number | null;
  error: string;
}

/** A GET whose body nobody reads. */
export async function ask(url: string, authorization: string): Promise<Reply> {
  try {
    const answer = await fetch(url, {
      headers: { Authorization: authorization, Accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await answer.body?.cancel();
    return { status: answer.status, error: '' };
  } catch (error) {
    return { status: null, error: messageOf(error) };
  }
}
