import type { OutboundResult } from '#src/common/outbound-http/outbound-exchange.js';
import { toDateTime } from '#src/common/time/format.js';
import type { Verdict } from './verdict.js';

/** What one request came to. */
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

/** The `webhook_response` of a call. `attempts` counts all of the delivery. */
export function toWebhookResponse(
  attempt: Attempt,
  attempts: number,
  verdict: Verdict,
): Record<string, unknown> {
  return {
    status_code: attempt.statusCode,
    body: attempt.responseBody,
    attempts,
    delivered_at: verdict.state === 'delivered' ? toDateTime(new Date()) : null,
    error: attempt.error,
  };
}
