import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { OutboundResult } from '#src/common/outbound-http/outbound-exchange.js';
import { classify, MAX_ATTEMPTS, readRetryAfter, retryDelay } from './delivery-outcome.js';

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
const outcome = (result: OutboundResult, row = first) => classify(result, row, NOW, 0.5);

describe('classify', () => {
  it.each([200, 201, 202, 204, 299])('returns delivered for %i', (status) => {
    expect(outcome(answer(status))).toEqual({ state: 'delivered' });
  });

  it.each([100, 301, 302, 304, 400, 401, 404, 409, 422, 429, 500, 503])('tries again after %i', (status) => {
    expect(outcome(answer(status))).toEqual({ state: 'pending', delayMs: 5_000 });
  });

  it('tries again after a failure without an answer', () => {
    expect(outcome(timedOut)).toEqual({ state: 'pending', delayMs: 5_000 });
  });

  it('honours Retry-After', () => {
    expect(outcome(answer(429, { 'retry-after': '90' }))).toEqual({ state: 'pending', delayMs: 90_000 });
  });

  it('gives up after ten attempts with the last reason', () => {
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

  it('ends the deliveries when the receiver answers 410', () => {
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
    const delays = Array.from({ length: MAX_ATTEMPTS }, (_, attempts) =>
      retryDelay(attempts + 1, null, MIDDLE),
    );
    expect(MAX_ATTEMPTS).toBe(10);
    expect(delays).toEqual([...documentedDelays(), null]);
  });

  it('has a jitter of ±20 %', () => {
    expect(retryDelay(2, null, 0)).toBe(4 * MINUTE);
    expect(retryDelay(2, null, 0.999_999)).toBeCloseTo(6 * MINUTE, -1);
  });

  it('is not shorter than Retry-After', () => {
    expect(retryDelay(1, 60 * SECOND, MIDDLE)).toBe(60 * SECOND);
    expect(retryDelay(2, 60 * SECOND, MIDDLE)).toBe(5 * MINUTE);
    expect(retryDelay(MAX_ATTEMPTS, 60 * SECOND, MIDDLE)).toBeNull();
  });
});

describe('readRetryAfter', () => {
  const now = new Date('2026-01-31T09:30:00Z');

  it.each([
    ['120', 120 * SECOND],
    [' 0 ', 0],
    ['999999', 24 * HOUR],
    ['Sat, 31 Jan 2026 09:31:00 GMT', MINUTE],
    ['Sat, 31 Jan 2026 09:29:00 GMT', 0],
    ['Mon, 31 Jan 2028 09:30:00 GMT', 24 * HOUR],
  ])('reads %j', (header, ms) => {
    expect(readRetryAfter(header, now)).toBe(ms);
  });

  it.each([[undefined], [''], ['soon'], ['-5'], ['1.5'], ['2026-01-31'], ['5 GMT'], ['9'.repeat(400)]])(
    'does not read %j',
    (header) => {
      expect(readRetryAfter(header, now)).toBeNull();
    },
  );
});
