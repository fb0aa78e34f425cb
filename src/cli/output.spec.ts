import { describe, expect, it } from '@jest/globals';
import { formatQuantity, formatDateTime, formatMoney, formatTable } from './output.js';

describe('formatTable', () => {
  it('aligns columns and right-aligns numbers', () => {
    const text = formatTable(
      ['id', 'name'],
      [
        [7, 'Ada'],
        [12, 'Grace Hopper'],
      ],
    );
    expect(text).toBe('ID  NAME\n 7  Ada\n12  Grace Hopper');
  });

  it('prints the headings without rows', () => {
    expect(formatTable(['id', 'name'], [])).toBe('ID  NAME');
  });
});

describe('formats', () => {
  it.each([
    [25_000_000n, '25.00'],
    [12_500n, '0.0125'],
    [-1_500_000n, '-1.50'],
    [1n, '0.000001'],
    [0n, '0.00'],
  ])('%d micro-units as %s', (micros, text) => expect(formatMoney(micros)).toBe(text));

  it('dates in UTC, and null as never', () => {
    expect(formatDateTime(new Date('2026-01-31T09:30:00Z'))).toBe('2026-01-31 09:30:00');
    expect(formatDateTime(null)).toBe('never');
  });

  it('counts with singular and plural', () =>
    expect([formatQuantity(1, 'account'), formatQuantity(2, 'account')]).toEqual([
      '1 account',
      '2 accounts',
    ]));
});
