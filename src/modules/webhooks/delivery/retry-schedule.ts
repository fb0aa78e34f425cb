const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Milliseconds to wait before each attempt; the first goes out at once. */
const BEFORE_ATTEMPT = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** Jitter, so that retries after a common failure are spread. */
const JITTER = 0.2;
const MAX_RETRY_AFTER_MS = DAY;

export const MAX_ATTEMPTS = BEFORE_ATTEMPT.length;

/**
 * Milliseconds from a failed attempt to the next, never earlier than the receiver asked for; null after the last.
 * `random` is 0 ≤ n < 1.
 */
export function retryDelay(attempts: number, retryAfterMs: number | null, random: number): number | null {
  const planned = BEFORE_ATTEMPT[attempts];
  if (planned === undefined) return null;
  return Math.max(Math.round(planned * (1 - JITTER + 2 * JITTER * random)), retryAfterMs ?? 0);
}

/** A `Retry-After` header (seconds or an HTTP date) in milliseconds, a day at most; null when there is none to read. */
export function readRetryAfter(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? '';
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * SECOND : httpDate(text) - now.getTime();
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
}

/** `Sun, 06 Nov 1994 08:49:37 GMT`; Date.parse alone would take any text with a number in it. */
const httpDate = (text: string): number => (/^[A-Z][a-z]{2,8},? .*GMT$/.test(text) ? Date.parse(text) : NaN);
