import type { OutboundResult } from '#src/common/outbound-http/outbound-exchange.js';

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

/** The outcome of one request. */
export interface Attempt {
  url: string;
  statusCode: number | null;
  responseBody: string | null;
  error: string | null;
  durationMs: number;
}

export function toAttempt(url: string, result: OutboundResult): Attempt {
  const { durationMs } = result;
  return result.ok
    ? { url, statusCode: result.statusCode, responseBody: result.body, error: null, durationMs }
    : { url, statusCode: null, responseBody: null, error: `${result.error}: ${result.message}`, durationMs };
}

/** The state of a delivery after an attempt. `gone`: the receiver answered 410. */
export type DeliveryOutcome =
  | { state: 'delivered' }
  | { state: 'pending'; delayMs: number }
  | { state: 'dead'; reason: string; gone: boolean };

export const OFF_REASON = 'The webhook was switched off.';
export const GONE_REASON = 'The receiver answered 410: its webhook was switched off.';

/** `attempts` counts those of this round, the judged one included. A test is tried once. */
export function classify(
  result: OutboundResult,
  { attempts, test }: { attempts: number; test: boolean },
  now = new Date(),
  random = Math.random(),
): DeliveryOutcome {
  if (result.ok && isSuccess(result.statusCode)) return { state: 'delivered' };
  if (result.ok && result.statusCode === 410 && !test) {
    return { state: 'dead', reason: GONE_REASON, gone: true };
  }
  const retryAfter = result.ok ? readRetryAfter(result.headers['retry-after'], now) : null;
  const delayMs = test ? null : retryDelay(attempts, retryAfter, random);
  if (delayMs !== null) return { state: 'pending', delayMs };
  const last = result.ok ? `the receiver answered ${result.statusCode}` : result.message;
  const reason = test ? `The test failed: ${last}` : `Given up after ${MAX_ATTEMPTS} attempts: ${last}`;
  return { state: 'dead', reason, gone: false };
}

const isSuccess = (statusCode: number): boolean => statusCode >= 200 && statusCode < 300;
