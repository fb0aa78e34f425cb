import { describe, expect, it } from '@jest/globals';
import { readTimestamp } from './text-fields.js';

describe('readTimestamp', () => {
  it.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31 09:30:05', '2026-01-31T09:30:05.000Z'],
    ['2026-01-31T09:30', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T09:30:05.123456Z', '2026-01-31T09:30:05.123Z'],
    ['2026-01-31T09:30:05+02:00', '2026-01-31T07:30:05.000Z'],
  ])('reads %s', (text, iso) => {
    expect(readTimestamp(text)?.toISOString()).toBe(iso);
  });

  it.each([
    ['2026-02-30'],
    ['2026-01-31 25:00'],
    ['2026-01-31T09'],
    ['yesterday'],
    [''],
    [1_769_852_100],
    [null],
  ])('refuses %j', (value) => {
    expect(readTimestamp(value)).toBeNull();
  });
});
