import type { OutboundResult } from '#src/common/outbound-http/outbound-exchange.js';
import { MAX_ATTEMPTS, readRetryAfter, retryDelay } from './retry-schedule.js';

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
