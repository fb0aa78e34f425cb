import { describe, expect, it } from '@jest/globals';
import { parseTimeZone } from './parse-time-zone.js';
import { canonicalZone } from './time.js';
import { ZONE_ALIASES } from './zone-aliases.js';

describe('parseTimeZone', () => {
  it.each([
    ['America/New_York', 'America/New_York'],
    [' america/new_york ', 'America/New_York'],
    ['America/New York', 'America/New_York'],
    ['\u200eEurope/Berlin\u00a0', 'Europe/Berlin'],
    ['us_slash_eastern', 'America/New_York'],
    ['america_slash_port_hyphen_au_hyphen_prince', 'America/Port-au-Prince'],
    ['US/Pacific', 'America/Los_Angeles'],
    ['Eastern Standard Time', 'America/New_York'],
    ['eastern standard time', 'America/New_York'],
    ['GMT Standard Time', 'Europe/London'],
    ['W. Europe Standard Time', 'Europe/Berlin'],
    ['India Standard Time', 'Asia/Calcutta'],
    ['(GMT-05:00) Eastern Time (US & Canada)', 'America/New_York'],
    ['(UTC-06:00) Central Time (US & Canada)', 'America/Chicago'],
    ['(UTC−08:00)  Pacific Time (US & Canada)', 'America/Los_Angeles'],
    ['(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna', 'Europe/Berlin'],
    ['(UTC) Dublin, Edinburgh, Lisbon, London', 'Europe/London'],
    ['(GMT-05:00) Eastern Daylight Time (America/New_York)', 'America/New_York'],
    ['EST', 'America/New_York'],
    ['mst', 'America/Denver'],
    ['CST', 'America/Chicago'],
    ['PST', 'America/Los_Angeles'],
    ['EST5EDT', 'America/New_York'],
    ['Eastern Time (US & Canada)', 'America/New_York'],
    ['(GMT+01:00) Madrid', 'Europe/Madrid'],
    ['(GMT+02:00) Europe/Athens', 'Europe/Athens'],
  ])('%j is %s', (written, zone) => expect(parseTimeZone(written)).toBe(zone));

  it.each([
    '',
    'EDT Time',
    '-05:00',
    '(GMT-05:00)',
    'Nowhere/At_All',
    'Europe/Berlin America/New_York',
    'Europe/Berlin, Europe/Paris',
    'Eastern',
    '5',
    'x'.repeat(97),
    '(America/New_York) x',
  ])('%j is no zone', (written) => expect(parseTimeZone(written)).toBeNull());

  it('has only zones that exist', () => {
    for (const [name, zone] of ZONE_ALIASES) expect([name, canonicalZone(zone)]).not.toEqual([name, null]);
  });
});
