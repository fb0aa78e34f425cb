import { zoneKeyOf } from './lead-zone.js';
import { describe, expect, it } from '@jest/globals';
import type { CampaignView } from '../campaigns/campaign-view.js';
import { WEEKDAYS } from '../campaigns/campaign.types.js';
import { type DialWindow, LeadWindows, msUntilOpen } from './dial-window.js';

const MINUTE = 60_000;
/** `WINDOW_ROUNDS=100000` takes 20 s. */
const ROUNDS = Number(process.env.WINDOW_ROUNDS ?? 3_000);
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
/** 2026-11-20 is a Friday. */
const friday = (time: string) => new Date(`2026-11-20T${time}:00Z`);

describe('msUntilOpen', () => {
  const office = { start: '09:00', end: '17:30', days: weekdays };

  it('is open from its start to before its end', () => {
    expect(msUntilOpen(office, 'UTC', friday('09:00'))).toBe(0);
    expect(msUntilOpen(office, 'UTC', new Date('2026-11-20T17:29:59.999Z'))).toBe(0);
    expect(msUntilOpen(office, 'UTC', friday('17:30'))).not.toBe(0);
  });

  it.each(['23:59', '24:00'])('is open to the end of the day with the end %s', (end) => {
    const lastMinute = new Date('2026-11-20T23:59:30Z');
    expect(msUntilOpen({ ...office, end }, 'UTC', lastMinute)).toBe(0);
    expect(msUntilOpen({ ...office, end }, 'UTC', new Date('2026-11-21T00:00:00Z'))).not.toBe(0);
  });

  it('never opens with an end that is its start', () => {
    expect(msUntilOpen({ ...office, end: '09:00' }, 'UTC', friday('09:00'))).toBeNull();
  });

  it('waits for the start of the same day', () => {
    expect(msUntilOpen(office, 'UTC', friday('08:15'))).toBe(45 * MINUTE);
  });

  it('waits over the weekend', () => {
    expect(msUntilOpen(office, 'UTC', friday('18:00'))).toBe((2 * 24 + 15) * 60 * MINUTE);
  });

  it('uses the given time zone', () => {
    expect(msUntilOpen(office, 'America/New_York', friday('13:30'))).toBe(30 * MINUTE);
    expect(msUntilOpen(office, 'Asia/Tokyo', friday('01:00'))).toBe(0);
  });

  it('may cross midnight', () => {
    const night = { start: '22:00', end: '02:00', days: ['friday'] };
    expect(msUntilOpen(night, 'UTC', friday('23:00'))).toBe(0);
    expect(msUntilOpen(night, 'UTC', new Date('2026-11-21T01:59:00Z'))).toBe(0);
    expect(msUntilOpen(night, 'UTC', friday('01:00'))).toBe(21 * 60 * MINUTE);
  });

  it('opens at its local hour after a change to summer time, and back', () => {
    // Changes in the nights of 2026-03-29 and 2026-10-25.
    const [spring, autumn] = [new Date('2026-03-27T18:00:00+01:00'), new Date('2026-10-23T18:00:00+02:00')];
    expect(msUntilOpen(office, 'Europe/Berlin', spring)).toBe((2 * 24 + 15 - 1) * 60 * MINUTE);
    expect(msUntilOpen(office, 'Europe/Berlin', autumn)).toBe((2 * 24 + 15 + 1) * 60 * MINUTE);
  });

  it('opens when the clock skips its start, and again when it is set back', () => {
    const night = { start: '02:30', end: '05:00', days: ['sunday'] };
    const skipped = new Date('2026-03-29T01:00:00Z');
    expect(msUntilOpen(night, 'Europe/Berlin', new Date(skipped.getTime() - 5 * MINUTE))).toBe(5 * MINUTE);
    const short = { start: '02:30', end: '02:45', days: ['sunday'] };
    const second = new Date('2026-10-25T01:30:00Z');
    expect(msUntilOpen(short, 'Europe/Berlin', new Date('2026-10-25T00:45:00Z'))).toBe(45 * MINUTE);
    expect(msUntilOpen(short, 'Europe/Berlin', second)).toBe(0);
  });

  it('caches one formatter for all spellings of a zone', () => {
    const { DateTimeFormat } = Intl;
    let made = 0;
    Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
      construct: (target, args: ConstructorParameters<typeof DateTimeFormat>) => {
        made++;
        return new target(...args);
      },
    });
    try {
      const spellings = Array.from({ length: 512 }, (_, bits) =>
        [...'Europe/Oslo'].map((letter, at) => ((bits >> at) & 1 ? letter.toUpperCase() : letter)).join(''),
      );
      for (const zone of spellings) expect(msUntilOpen(office, zone, friday('10:00'))).toBe(0);
    } finally {
      Intl.DateTimeFormat = DateTimeFormat;
    }
    // One to look the name up, one to tell the time.
    expect(made).toBeLessThanOrEqual(2);
  });

  it('never opens without a day or in a zone that does not exist', () => {
    expect(msUntilOpen({ ...office, days: [] }, 'UTC', friday('10:00'))).toBeNull();
    expect(msUntilOpen(office, 'Mars/Olympus', friday('10:00'))).toBeNull();
  });
});

describe('LeadWindows', () => {
  it('is open when it is open in every zone of the number', () => {
    const campaign = {
      timezone: 'Europe/Berlin',
      allowedHoursStartTime: '09:00',
      allowedHoursEndTime: '17:00',
      allowedDays: weekdays,
    } as CampaignView;
    const us = zoneKeyOf({ phoneNumber: '+14155550100', variables: {} });
    // 14:00 in New York, 09:00 in Honolulu; Adak and Honolulu are the last to open.
    const noon = friday('19:00');
    expect(new LeadWindows(campaign, noon).msUntilOpen(us)).toBe(0);
    expect(new LeadWindows(campaign, friday('15:00')).msUntilOpen(us)).toBe(4 * 60 * MINUTE);
    // Closed in New York: Monday, when it is open in Honolulu too.
    expect(new LeadWindows(campaign, friday('22:00')).msUntilOpen(us)).toBe((3 * 24 - 3) * 60 * MINUTE);
  });
});

describe('an opening', () => {
  const ZONES = Intl.supportedValuesOf('timeZone');
  const HOUR = 60 * MINUTE;
  /** Told by another implementation: the library's text of the local time. */
  const isOpenAt = ({ start, end, days }: DialWindow, timeZone: string, time: number): boolean => {
    const text = (at: number) =>
      new Date(at).toLocaleString('en-GB', { timeZone, weekday: 'long', hour: '2-digit', minute: '2-digit' });
    const [day = '', clock = ''] = text(time)
      .toLowerCase()
      .split(/,? (?:at )?(?=\d)/);
    const dayBefore = WEEKDAYS[(WEEKDAYS.findIndex((name) => name === day) + 6) % 7] ?? '';
    const until = end === '23:59' ? '24:00' : end;
    if (start <= until) return days.includes(day) && clock >= start && clock < until;
    return (days.includes(day) && clock >= start) || (days.includes(dayBefore) && clock < until);
  };
  let seed = 20261122;
  /** Lehmer's generator (Park and Miller 1988): the same windows in every run. */
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const below = (limit: number): number => Math.floor(random() * limit);
  const time = (): string =>
    `${String(below(24)).padStart(2, '0')}:${String(below(4) * 15).padStart(2, '0')}`;
  /** Half of the moments lie within three days of a change of European or American clocks. */
  const CHANGES = ['2026-03-08T07:00Z', '2026-03-29T01:00Z', '2026-10-25T01:00Z', '2026-11-01T06:00Z'];
  const moment = (): number =>
    random() < 0.5
      ? Date.parse('2026-01-01') + below(365 * 24 * 60) * MINUTE
      : Date.parse(CHANGES[below(CHANGES.length)] ?? '') + (below(6 * 24 * 60) - 3 * 24 * 60) * MINUTE;

  it('is the first moment at which the window is open, for random windows, zones and moments', () => {
    const wrong: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const window = { start: time(), end: time(), days: WEEKDAYS.filter(() => random() < 0.6) };
      const zone = ZONES[below(ZONES.length)] ?? 'UTC';
      const now = moment() + below(MINUTE);
      const wait = msUntilOpen(window, zone, new Date(now));
      const latest = wait ?? 8 * 24 * HOUR;
      // Closed until then: just before, and at any moment between.
      const closed = wait === 0 ? [] : [now, now + latest - 1, now + Math.floor(random() * latest)];
      const isRight =
        closed.every((at) => !isOpenAt(window, zone, at)) &&
        (wait === null || isOpenAt(window, zone, now + wait));
      if (!isRight) wrong.push(`${JSON.stringify(window)} ${zone} ${new Date(now).toISOString()} ${wait}`);
    }
    expect(wrong).toEqual([]);
  });
});
