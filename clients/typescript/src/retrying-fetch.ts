export interface RetryOptions {
  /** Repetitions of a request at most. Default 3. */
  retries?: number;
  /** Longest wait before a repetition in milliseconds; a longer `Retry-After` is not waited for. Default 60,000. */
  maxWaitMs?: number;
}

type Fetch = (request: Request) => Promise<Response>;

/** The service did not work on the request, and says when it will. */
const NOT_WORKED_ON = new Set([409, 429, 503]);
const FIRST_WAIT_MS = 500;

/**
 * Repeats what did not take place: answers 409, 429 and 503 with `Retry-After`, and requests without an answer that
 * can be repeated without harm, which are GET requests and those with an `Idempotency-Key`.
 */
export function retryingFetch({ retries = 3, maxWaitMs = 60_000 }: RetryOptions, fetch: Fetch): Fetch {
  return async (request) => {
    for (let tried = 0; ; tried += 1) {
      const isLast = tried >= retries;
      const outcome = await fetch(request.clone()).catch((error: unknown) => ({ error }));
      const waitMs = outcome instanceof Response ? toWait(outcome) : noAnswer(request, tried);
      if (!isLast && waitMs !== null && waitMs <= maxWaitMs) await wait(waitMs, request.signal);
      else if (outcome instanceof Response) return outcome;
      else throw outcome.error;
    }
  };
}

/** Null: the answer is final. */
function toWait({ status, headers }: Response): number | null {
  const seconds = NOT_WORKED_ON.has(status) ? headers.get('retry-after') : null;
  return seconds !== null && /^\d+$/.test(seconds) ? Number(seconds) * 1000 : null;
}

/** Null: a repetition could take effect twice. */
function noAnswer({ method, headers, signal }: Request, tried: number): number | null {
  if (signal.aborted || (method !== 'GET' && !headers.has('idempotency-key'))) return null;
  return FIRST_WAIT_MS * 2 ** tried;
}

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
