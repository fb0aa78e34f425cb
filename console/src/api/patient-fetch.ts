/** Statuses after which the same request may succeed. */
const BUSY = new Set([429, 503]);
const MOST_TRIES = 4;
const DEFAULT_SECONDS = 2;
const MOST_SECONDS = 30;

type Notice = (seconds: number) => void;

let notice: Notice = () => {};
/** @param show called with the seconds until the next try */
export const onWait = (show: Notice): void => {
  notice = show;
};

/**
 * As `fetch`; tries again after `Retry-After` where the service has too much to do. A POST carries an idempotency key, so
 * that it is done once.
 */
export async function patientFetch(request: Request): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(request.clone());
    if (!BUSY.has(response.status) || tries >= MOST_TRIES) return response;
    const seconds = Number(response.headers.get('retry-after') ?? DEFAULT_SECONDS) || DEFAULT_SECONDS;
    if (seconds > MOST_SECONDS) return response;
    notice(seconds);
    await wait(seconds * 1000, request.signal);
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}

/** `crypto.randomUUID` exists over https only. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
