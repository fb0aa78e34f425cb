import { describe, expect, it } from '@jest/globals';
import { localTime, zonedTime } from './zoned-time.js';

describe('zonedTime', () => {
  it.each([
    ['2026-03-02T15:00', 'Europe/Berlin', '2026-03-02T14:00:00.000Z'],
    ['2026-07-02 15:00:00', 'Europe/Berlin', '2026-07-02T13:00:00.000Z'],
    ['2026-07-02T15:00', 'america/new_york', '2026-07-02T19:00:00.000Z'],
    ['2026-07-02T00:10', 'Asia/Kathmandu', '2026-07-01T18:25:00.000Z'],
    ['2026-12-31T23:59', 'Pacific/Kiritimati', '2026-12-31T09:59:00.000Z'],
    // The hour that comes twice, and the one that does not come.
    ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-03-29T03:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-03-29T01:59', 'Europe/Berlin', '2026-03-29T00:59:00.000Z'],
    ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
  ])('%s in %s is %s', (local, zone, moment) => {
    expect(zonedTime(local, zone)?.toISOString()).toBe(moment);
  });

  it.each([
    ['2026-02-30T15:00', 'Europe/Berlin'],
    ['2026-03-02T24:00', 'Europe/Berlin'],
    ['2026-03-02T15:61', 'Europe/Berlin'],
    ['2026-03-02T15:00Z', 'Europe/Berlin'],
    ['2026-03-02', 'Europe/Berlin'],
    ['tomorrow at three', 'Europe/Berlin'],
    ['2026-03-02T15:00', 'Berlin'],
    ['2026-03-02T15:00', ''],
  ])('%s in %s is no time', (local, zone) => {
    expect(zonedTime(local, zone)).toBeNull();
  });
});

it('localTime returns the local time of the zone', () => {
  const clock = { weekday: 'Tuesday', date: '2026-03-03', time: '00:05' };
  expect(localTime(new Date('2026-03-02T23:05:00Z'), 'Europe/Berlin')).toEqual(clock);
});
