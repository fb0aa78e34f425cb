import { describe, expect, it } from '@jest/globals';
import { parseRetryAfter } from './retry-after.js';

describe('parseRetryAfter', () => {
  const now = Date.parse('2026-01-31T09:30:00Z');

  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['1.5', 1_500],
    ['Sat, 31 Jan 2026 09:31:00 GMT', 60_000],
    ['Sat, 31 Jan 2026 09:29:00 GMT', 0],
  ])('reads %j', (header, ms) => {
    expect(parseRetryAfter(header, now)).toBe(ms);
  });

  it.each([[undefined], [null], [''], ['soon'], ['-5'], ['2026-01-31'], ['5 GMT'], ['9'.repeat(400)]])(
    'does not read %j',
    (header) => {
      expect(parseRetryAfter(header, now)).toBeNull();
    },
  );
});
