import type { OutboundResult } from '#src/common/outbound-http/outbound-exchange.js';
import { parseRetryAfter } from '#src/common/outbound-http/retry-after.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Milliseconds to wait before each attempt; the first goes out at once. */
const ATTEMPT_DELAYS_MS = [
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

export const MAX_DELIVERY_ATTEMPTS = ATTEMPT_DELAYS_MS.length;

/**
 * Milliseconds from a failed attempt to the next, never earlier than the receiver's `Retry-After`, of which a day
 * counts at most; null after the last. `random` is 0 ≤ n < 1.
 */
export function retryDelayMs(attempts: number, retryAfterMs: number | null, random: number): number | null {
  const plannedMs = ATTEMPT_DELAYS_MS[attempts];
  if (plannedMs === undefined) return null;
  return Math.max(
    Math.round(plannedMs * (1 - JITTER + 2 * JITTER * random)),
    Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS),
  );
}

/** The result of one request, as `webhook_attempts` stores it. */
export interface AttemptResult {
  url: string;
  statusCode: number | null;
  responseBody: string | null;
  error: string | null;
  durationMs: number;
}

export function toAttemptResult(url: string, result: OutboundResult): AttemptResult {
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

export const SWITCHED_OFF_REASON = 'The webhook was switched off.';
export const GONE_REASON = 'The receiver answered 410: its webhook was switched off.';

/** State of a delivery after a request. `attempts` counts this round, including this attempt. A test is sent once. */
export function decideDeliveryOutcome(
  result: OutboundResult,
  { attempts, test }: { attempts: number; test: boolean },
  now = new Date(),
  random = Math.random(),
): DeliveryOutcome {
  if (result.ok && isSuccess(result.statusCode)) return { state: 'delivered' };
  if (result.ok && result.statusCode === 410 && !test) {
    return { state: 'dead', reason: GONE_REASON, gone: true };
  }
  const retryAfter = result.ok ? parseRetryAfter(result.headers['retry-after'], now.getTime()) : null;
  const delayMs = test ? null : retryDelayMs(attempts, retryAfter, random);
  if (delayMs !== null) return { state: 'pending', delayMs };
  const last = result.ok ? `the receiver answered ${result.statusCode}` : result.message;
  const reason = test
    ? `The test failed: ${last}`
    : `Given up after ${MAX_DELIVERY_ATTEMPTS} attempts: ${last}`;
  return { state: 'dead', reason, gone: false };
}

const isSuccess = (statusCode: number): boolean => statusCode >= 200 && statusCode < 300;
