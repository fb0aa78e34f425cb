import { toErrorMessage } from '../output.js';

export interface Finding {
  name: string;
  /** `warn`: the service runs, but not as recommended for production. */
  state: 'ok' | 'warn' | 'fail';
  what: string;
  /** The remedy; absent for `ok`. */
  todo?: string;
}

export type CheckResult = Omit<Finding, 'name'>;

export const ok = (what: string): CheckResult => ({ state: 'ok', what });
export const warn = (what: string, todo: string): CheckResult => ({ state: 'warn', what, todo });
export const fail = (what: string, todo: string): CheckResult => ({ state: 'fail', what, todo });

/** Reports a check that throws as a failed one. */
export async function runCheck(name: string, check: () => Promise<CheckResult>): Promise<Finding> {
  try {
    return { name, ...(await check()) };
  } catch (error) {
    return {
      name,
      ...fail(`could not be checked (${toErrorMessage(error)})`, 'remove the cause and run doctor again'),
    };
  }
}

const TIMEOUT_MS = 5_000;

interface Reply {
  /** Null when there was no answer; then `error` has the reason. */
  status: number | null;
  error: string;
}

/** Sends a GET and discards the body. */
export async function fetchStatus(url: string, authorization: string): Promise<Reply> {
  try {
    const answer = await fetch(url, {
      headers: { Authorization: authorization, Accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await answer.body?.cancel();
    return { status: answer.status, error: '' };
  } catch (error) {
    return { status: null, error: toErrorMessage(error) };
  }
}
