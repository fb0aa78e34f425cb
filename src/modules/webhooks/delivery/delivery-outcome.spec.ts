import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { OutboundResult } from '#src/common/outbound-http/outbound-exchange.js';
import { decideDeliveryOutcome, MAX_DELIVERY_ATTEMPTS, retryDelayMs } from './delivery-outcome.js';

const NOW = new Date('2026-01-31T09:30:00Z');
const first = { attempts: 1, test: false };
const last = { attempts: 10, test: false };

const answer = (statusCode: number, headers: Record<string, string> = {}): OutboundResult => ({
  ok: true,
  statusCode,
  headers,
  body: '',
  truncated: false,
  durationMs: 1,
});
const timedOut: OutboundResult = {
  ok: false,
  error: 'timeout',
  message: 'The exchange did not finish in time.',
  reason: 'timeout',
  durationMs: 15_000,
};
const outcome = (result: OutboundResult, row = first) => decideDeliveryOutcome(result, row, NOW, 0.5);

describe('classify', () => {
  it.each([200, 201, 202, 204, 299])('returns delivered for %i', (status) => {
    expect(outcome(answer(status))).toEqual({ state: 'delivered' });
  });

  it.each([100, 301, 302, 304, 400, 401, 404, 409, 422, 429, 500, 503])('retries after %i', (status) => {
    expect(outcome(answer(status))).toEqual({ state: 'pending', delayMs: 5_000 });
  });

  it('retries after a failure without a response', () => {
    expect(outcome(timedOut)).toEqual({ state: 'pending', delayMs: 5_000 });
  });

  it('honours Retry-After', () => {
    expect(outcome(answer(429, { 'retry-after': '90' }))).toEqual({ state: 'pending', delayMs: 90_000 });
  });

  it('ends after ten attempts with the last reason', () => {
    expect(outcome(answer(503, { 'retry-after': '90' }), last)).toEqual({
      state: 'dead',
      reason: 'Given up after 10 attempts: the receiver answered 503',
      gone: false,
    });
    expect(outcome(timedOut, last)).toMatchObject({
      reason: 'Given up after 10 attempts: The exchange did not finish in time.',
    });
    expect(outcome(answer(200), last)).toEqual({ state: 'delivered' });
  });

  it('ends the deliveries when the receiver responds with 410', () => {
    expect(outcome(answer(410))).toMatchObject({ state: 'dead', gone: true });
  });

  it('tries a test delivery once and does not switch the channel off', () => {
    const test = { attempts: 1, test: true };
    expect(outcome(answer(500), test)).toEqual({
      state: 'dead',
      reason: 'The test failed: the receiver answered 500',
      gone: false,
    });
    expect(outcome(answer(410), test)).toMatchObject({ gone: false });
  });
});

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const MIDDLE = 0.5;
const UNITS: Record<string, number> = { s: SECOND, min: MINUTE, h: HOUR };

/** The delays between attempts that docs/use/webhooks.md promises, in ms. */
function documentedDelays(): number[] {
  const list = /retried after (.+?), each/.exec(readFileSync('docs/use/webhooks.md', 'utf8'))?.[1] ?? '';
  return [...list.matchAll(/(\d+) (s|min|h)\b/g)].map(
    ([, count, unit]) => Number(count) * (UNITS[unit ?? ''] ?? NaN),
  );
}

describe('retryDelay', () => {
  it('follows the schedule in docs/use/webhooks.md: ten attempts in three days', () => {
    const delays = Array.from({ length: MAX_DELIVERY_ATTEMPTS }, (_, attempts) =>
      retryDelayMs(attempts + 1, null, MIDDLE),
    );
    expect(MAX_DELIVERY_ATTEMPTS).toBe(10);
    expect(delays).toEqual([...documentedDelays(), null]);
  });

  it('has a jitter of ±20 %', () => {
    expect(retryDelayMs(2, null, 0)).toBe(4 * MINUTE);
    expect(retryDelayMs(2, null, 0.999_999)).toBeCloseTo(6 * MINUTE, -1);
  });

  it('is not shorter than Retry-After', () => {
    expect(retryDelayMs(1, 60 * SECOND, MIDDLE)).toBe(60 * SECOND);
    expect(retryDelayMs(2, 60 * SECOND, MIDDLE)).toBe(5 * MINUTE);
    expect(retryDelayMs(1, 48 * HOUR, MIDDLE)).toBe(24 * HOUR);
    expect(retryDelayMs(MAX_DELIVERY_ATTEMPTS, 60 * SECOND, MIDDLE)).toBeNull();
  });
});
