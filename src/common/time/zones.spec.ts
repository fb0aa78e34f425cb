import { describe, expect, it } from '@jest/globals';
import { canonicalZone, isTimeZone } from './time.js';

describe('isTimeZone', () => {
  it.each([
    'UTC',
    'Europe/Berlin',
    'europe/berlin',
    'America/Argentina/Buenos_Aires',
    'America/Port-au-Prince',
    'Asia/Calcutta',
    'Asia/Kolkata',
    'US/Pacific',
    'Etc/GMT+5',
  ])('%s is a time zone', (name) => {
    expect(isTimeZone(name)).toBe(true);
    expect(isTimeZone(name)).toBe(true);
  });

  it.each([
    '',
    ' ',
    'Europe',
    'Europe/Atlantis',
    'Europe/Berlin ',
    'Europe\\Berlin',
    '+01:00',
    '-0330',
    'UTC+1',
    '5',
    'null',
    'Europe//Berlin',
    'Europe/Berlin/',
    'a'.repeat(10_000),
  ])('%j is no time zone', (name) => {
    expect(isTimeZone(name)).toBe(false);
    expect(isTimeZone(name)).toBe(false);
  });

  it('returns one name for all spellings and aliases of a zone', () => {
    expect(canonicalZone('eUROPE/bERLIN')).toBe('Europe/Berlin');
    expect(canonicalZone('Asia/Calcutta')).toBe(canonicalZone('asia/kolkata'));
    expect(canonicalZone('Europe/Atlantis')).toBeNull();
  });

  it.each(Intl.supportedValuesOf('timeZone'))('recognises %s', (name) => expect(isTimeZone(name)).toBe(true));
});
