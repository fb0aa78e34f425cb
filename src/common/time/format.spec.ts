import { describe, expect, it } from '@jest/globals';
import { toDateTime, toIsoMicros } from './time.js';

describe('toDateTime', () => {
  it.each([
    ['2026-03-04T05:06:07.000Z', '2026-03-04 05:06:07'],
    ['2026-03-04T05:06:07.999Z', '2026-03-04 05:06:07'],
    ['2026-12-31T23:59:59-02:00', '2027-01-01 01:59:59'],
    ['1969-12-31T23:59:59Z', '1969-12-31 23:59:59'],
  ])('%s is %s', (moment, text) => expect(toDateTime(new Date(moment))).toBe(text));

  it('throws for an invalid date', () => {
    expect(() => toDateTime(new Date(NaN))).toThrow(RangeError);
  });
});

it('writes any date of any order as toISOString does', () => {
  // From the year 1 to the year 30000.
  for (let count = 0; count < 10_000; count++) {
    const date = new Date(Math.round(-62e12 + Math.random() * 947e12));
    const iso = date.toISOString();
    expect(toIsoMicros(date)).toBe(iso.replace('Z', '000Z'));
    expect(toDateTime(date)).toBe(iso.replace('T', ' ').slice(0, -5));
  }
});

describe('toIsoMicros', () => {
  it.each([
    [new Date('2026-03-04T05:06:07.089Z'), '2026-03-04T05:06:07.089000Z'],
    [new Date(0), '1970-01-01T00:00:00.000000Z'],
    ['2026-03-04 05:06:07.123456+00', '2026-03-04T05:06:07.123456Z'],
    ['2026-03-04 05:06:07.1+00', '2026-03-04T05:06:07.100000Z'],
    ['2026-03-04 05:06:07+00', '2026-03-04T05:06:07.000000Z'],
    ['2026-03-04 05:06:07.000001+02', '2026-03-04T03:06:07.000001Z'],
    ['2026-01-01 01:06:07.5+05:30', '2025-12-31T19:36:07.500000Z'],
    ['2026-12-31 23:00:00.999999-03:30', '2027-01-01T02:30:00.999999Z'],
    ['1969-12-31 23:59:59.999999+00', '1969-12-31T23:59:59.999999Z'],
    ['2026-03-04T05:06:07.123456Z', '2026-03-04T05:06:07.123456Z'],
    ['2026-03-04T05:06:07.123+00:00', '2026-03-04T05:06:07.123000Z'],
  ])('%s is %s', (value, text) => expect(toIsoMicros(value)).toBe(text));

  it('accepts its own output', () => {
    const text = toIsoMicros(new Date());
    expect(toIsoMicros(text)).toBe(text);
  });

  it.each([
    '',
    'infinity',
    '2026-03-04',
    '2026-03-04 05:06:07',
    '2026-13-04 05:06:07+00',
    '0044-03-15 12:00:00+00 BC',
  ])('throws for %j', (value) => expect(() => toIsoMicros(value)).toThrow(RangeError));
});
