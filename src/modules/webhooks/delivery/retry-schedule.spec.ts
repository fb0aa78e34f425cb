import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { MAX_ATTEMPTS, readRetryAfter, retryDelay } from './retry-schedule.js';

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
