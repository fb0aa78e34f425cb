import { parseRetryAfter } from '#src/common/outbound-http/retry-after.js';
import { CarrierError } from '../carrier-error.js';

/** Errors before any byte was sent: nothing was placed. */
const UNREACHED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const RETRYABLE = new Set([401, 403, 429]);
/** Geographic permissions of the account. */
const NOT_PERMITTED = new Set([13227, 21215, 21216]);

/**
 * Classifies a failure. 4xx: rejected with the carrier's code; 401, 403 and 429 are retryable, because the request
 * itself is valid, except where the account may not call this country or number. Failures without a clear answer are
 * unknown.
 */
export function toCarrierError(error: unknown): CarrierError {
  if (error instanceof CarrierError) return error;
  const { status, code, message } = responseOf(error);
  if (status === null) return withoutResponse(error);
  if (status >= 400 && status < 500) {
    return new CarrierError(`The carrier rejected the request (${code ?? status})`, 'rejected', {
      code,
      detail: message,
      retryable: RETRYABLE.has(status) && !NOT_PERMITTED.has(code ?? 0),
    });
  }
  return new CarrierError(`The carrier failed (${status})`, 'unknown', { code, detail: message });
}

/**
 * The SDK's errors do not keep the header `Retry-After` (seconds or a date), so it goes into an error of our own.
 * Null: the response has no such header.
 */
export function rateLimited(body: string, retryAfter: string | null, now: number): CarrierError | null {
  const retryAfterMs = parseRetryAfter(retryAfter, now);
  if (retryAfterMs === null) return null;
  const { code, message } = responseOf(parseJson(body));
  return new CarrierError(`The carrier rejected the request (${code ?? 429})`, 'rejected', {
    code,
    detail: message,
    retryable: true,
    retryAfterMs,
  });
}

export const isNotFound = (error: unknown): boolean => responseOf(error).status === 404;

function withoutResponse(cause: unknown): CarrierError {
  const fault = read(cause, 'code');
  if (typeof fault === 'string' && UNREACHED.has(fault)) {
    return new CarrierError('The carrier could not be reached', 'rejected', { retryable: true, cause });
  }
  return new CarrierError('The carrier did not answer', 'unknown', { cause });
}

/** The parts of the SDK's error for an answer; `status` is null when there was none. */
function responseOf(error: unknown) {
  const [status, code, message] = ['status', 'code', 'message'].map((name) => read(error, name));
  return {
    status: typeof status === 'number' ? status : null,
    code: typeof code === 'number' ? code : null,
    message: typeof message === 'string' ? message : null,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const read = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
