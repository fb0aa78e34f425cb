import { describe, expect, it } from '@jest/globals';
import { toAmount, toMicros } from './micros.js';

describe('micro-units', () => {
  it.each([
    ['0.0075', 7_500n],
    ['12', 12_000_000n],
    ['0.0000005', 1n],
    ['0.0000004', 0n],
    ['-1.5', -1_500_000n],
    ['999999999999.999999', 999_999_999_999_999_999n],
  ])('reads %s exactly', (amount, micros) => {
    expect(toMicros(amount)).toBe(micros);
  });

  it.each(['', '1e3', '1,5', '.5', 'NaN', '--1'])('refuses %p', (amount) => {
    expect(() => toMicros(amount)).toThrow(RangeError);
  });

  it('shows amounts as numbers', () => {
    expect(toAmount(12_500n)).toBe(0.0125);
    expect(toAmount('-50000')).toBe(-0.05);
  });
});
