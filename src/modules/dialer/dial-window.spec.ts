import { describe, expect, it } from '@jest/globals';
import { WEEKDAYS } from '../campaigns/campaign.types.js';
import {
  ALLOWED_HOURS,
  type CampaignHours,
  type DialWindow,
  LeadWindows,
  msUntilAppointmentHours,
  msUntilWindowOpens as msUntilAllOpen,
} from './dial-window.js';

const MINUTE = 60_000;
/** `WINDOW_ROUNDS=100000` takes a minute. */
const ROUNDS = Number(process.env.WINDOW_ROUNDS ?? 3_000);
const TIMEOUT_MS = 30_000 + 5 * ROUNDS;
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
/** 2026-11-20 is a Friday. */
const friday = (time: string) => new Date(`2026-11-20T${time}:00Z`);

/** One window in one zone. */
const msUntilOpen = (window: DialWindow, zone: string, now: Date) => msUntilAllOpen([[window]], [zone], now);

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
  const HOUR = 60 * MINUTE;
  const campaign: CampaignHours = {
    timezone: 'Europe/Berlin',
    allowedHoursStartTime: '09:00',
    allowedHoursEndTime: '17:00',
    allowedDays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
    windows: [],
    strictTimezones: false,
    quietHours: 'none',
  };
  const wait = (key: string, now: Date, changes: Partial<CampaignHours> = {}) =>
    new LeadWindows({ ...campaign, ...changes }, now).msUntilWindowOpens(key);
  const COASTS = 'America/Los_Angeles America/New_York@US';

  it('is open when it is open in every possible zone of the number', () => {
    // 09:00 in Los Angeles, noon in New York.
    expect(wait(COASTS, friday('17:00'))).toBe(0);
    expect(wait(COASTS, friday('15:00'))).toBe(2 * HOUR);
    // Closed in New York: Monday, when it is open in Los Angeles too.
    expect(wait(COASTS, friday('22:00'))).toBe((3 * 24 - 5) * HOUR);
  });

  it("is open in the campaign's zone where its clock is one of the number's, unless all zones are asked", () => {
    const atHome = { timezone: 'America/Detroit' };
    expect(wait(COASTS, friday('14:00'), atHome)).toBe(0);
    expect(wait(COASTS, friday('14:00'), { ...atHome, strictTimezones: true })).toBe(3 * HOUR);
  });

  it("is open in the campaign's zone for numbers of the sandbox", () => {
    expect(wait('*', friday('08:00'))).toBe(0);
    expect(wait('*', friday('08:00'), { strictTimezones: true })).toBe(0);
    expect(wait('*', friday('16:00'))).not.toBe(0);
  });

  it('is null where no zone is known, also in a campaign whose own zone does not exist', () => {
    expect(wait('', friday('10:00'))).toBeNull();
    expect(wait('*', friday('10:00'), { timezone: 'Old/Zone' })).toBeNull();
    // What is known of the number is enough.
    expect(wait('Europe/Berlin@DE', friday('10:00'), { timezone: 'Old/Zone' })).toBe(0);
  });

  it('looks again in an hour where no moment suits all zones', () => {
    expect(wait('America/Phoenix Asia/Almaty', friday('10:00'))).toBe(HOUR);
  });

  it('has several windows in place of hours and days', () => {
    const windows: CampaignHours['windows'] = [
      { days: ['friday'], start: '09:00', end: '12:00' },
      { days: ['friday', 'saturday'], start: '15:00', end: '24:00' },
    ];
    const berlin = (now: Date) => wait('Europe/Berlin@DE', now, { windows, allowedDays: ['sunday'] });
    expect(berlin(friday('08:00'))).toBe(0);
    expect(berlin(friday('11:00'))).toBe(3 * HOUR);
    expect(berlin(friday('22:59'))).toBe(0);
    expect(berlin(friday('23:00'))).toBe(15 * HOUR);
    expect(berlin(new Date('2026-11-21T23:00:00Z'))).toBe((5 * 24 + 9) * HOUR);
  });

  it("is bound by the law's hours of the number's country, in the number's zone, with quiet hours auto", () => {
    const allDay: Partial<CampaignHours> = {
      allowedHoursStartTime: '00:00',
      allowedHoursEndTime: '24:00',
      allowedDays: [...WEEKDAYS],
      quietHours: 'auto',
    };
    const newYork = (now: Date, changes = allDay) => wait('America/New_York@US', now, changes);
    expect(newYork(friday('12:59'))).toBe(MINUTE);
    expect(newYork(friday('13:00'))).toBe(0);
    expect(newYork(new Date('2026-11-21T01:59:00Z'))).toBe(0);
    expect(newYork(new Date('2026-11-21T02:00:00Z'))).toBe(11 * HOUR);
    expect(newYork(friday('06:00'), { ...allDay, quietHours: 'none' })).toBe(0);
    // A floor: the window is no wider for it.
    expect(newYork(friday('13:30'), { quietHours: 'auto' })).toBe(30 * MINUTE);
    // Sunday in France; an American in France; no rule; the sandbox.
    expect(wait('Europe/Paris@FR', new Date('2026-11-22T12:00:00Z'), allDay)).toBe(21 * HOUR);
    expect(wait('Europe/Paris@US', new Date('2026-11-22T12:00:00Z'), allDay)).toBe(0);
    expect(wait('Europe/Berlin@DE', friday('02:00'), allDay)).toBe(0);
    expect(wait('*', friday('02:00'), allDay)).toBe(0);
  });

  it('evaluates each key once', () => {
    let read = 0;
    const counting = {
      ...campaign,
      get timezone() {
        read++;
        return 'Europe/Berlin';
      },
    };
    const windows = new LeadWindows(counting, friday('10:00'));
    for (let lead = 0; lead < 100; lead++)
      for (const key of ['*', '', COASTS]) windows.msUntilWindowOpens(key);
    expect(read).toBe(3);
  });
});

describe('msUntilAppointmentHours', () => {
  it('is open from 08:00 to 21:00 in all zones, on every day', () => {
    const sunday = (time: string) => new Date(`2026-11-22T${time}:00Z`);
    expect(msUntilAppointmentHours(['Europe/Berlin'], sunday('06:59'))).toBe(MINUTE);
    expect(msUntilAppointmentHours(['Europe/Berlin'], sunday('07:00'))).toBe(0);
    expect(msUntilAppointmentHours(['Europe/Berlin'], sunday('20:00'))).toBe(11 * 60 * MINUTE);
    expect(msUntilAppointmentHours(['Europe/Berlin', 'America/New_York'], sunday('12:00'))).toBe(60 * MINUTE);
  });

  it('is null where no zone is known', () => {
    expect(msUntilAppointmentHours([], friday('12:00'))).toBeNull();
    expect(msUntilAppointmentHours(['Mars/Olympus'], friday('12:00'))).toBeNull();
  });
});

describe('an opening', () => {
  const ZONES = Intl.supportedValuesOf('timeZone');
  const DAY = 24 * 60 * MINUTE;
  /** Told by another implementation: the library's text of the local time, `friday 09:00`. */
  const texts = new Map<string, Intl.DateTimeFormat>();
  const localTime = (timeZone: string, at: number): string[] => {
    const options = { timeZone, weekday: 'long', hour: '2-digit', minute: '2-digit' } as const;
    const format = texts.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', options);
    texts.set(timeZone, format);
    return format
      .format(at)
      .toLowerCase()
      .split(/,? (?:at )?(?=\d)/);
  };
  const isOpenAt = ({ start, end, days }: DialWindow, [day = '', clock = '']: string[]): boolean => {
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

  const randomWindow = (): DialWindow => ({
    start: time(),
    end: time(),
    days: WEEKDAYS.filter(() => random() < 0.6),
  });
  const listOf = <T>(most: number, make: () => T): T[] => Array.from({ length: 1 + below(most) }, make);
  const QUIET = [...ALLOWED_HOURS.values()];

  it(
    'is the first moment at which all are open, for random windows, zones, quiet hours and moments',
    () => {
      const wrong: string[] = [];
      const seen = { several: 0, zones: 0, quiet: 0, never: 0, later: 0 };
      for (let round = 0; round < ROUNDS; round++) {
        const windows = listOf(random() < 0.5 ? 1 : 6, randomWindow);
        const quiet = random() < 0.5 ? [QUIET[below(QUIET.length)] ?? []] : [];
        const zones = listOf(random() < 0.5 ? 1 : 3, () => ZONES[below(ZONES.length)] ?? 'UTC');
        const isOpen = (at: number): boolean =>
          zones.every((zone) => {
            const local = localTime(zone, at);
            return [windows, ...quiet].every((list) => list.some((window) => isOpenAt(window, local)));
          });
        const now = moment() + below(MINUTE);
        const wait = msUntilAllOpen([windows, ...quiet], zones, new Date(now));
        const latest = wait ?? 14 * DAY;
        // Closed until then: just before, and at any moment between.
        const between = [random(), random(), random()].map((part) => now + Math.floor(part * latest));
        const closed = wait === 0 ? [] : [now, now + latest - 1, ...between];
        const isRight = closed.every((at) => !isOpen(at)) && (wait === null || isOpen(now + wait));
        if (!isRight)
          wrong.push(`${JSON.stringify([windows, zones])} ${new Date(now).toISOString()} ${wait}`);
        if (windows.length > 1) seen.several++;
        if (zones.length > 1) seen.zones++;
        if (quiet.length > 0) seen.quiet++;
        if (wait === null) seen.never++;
        else if (wait > 0) seen.later++;
      }
      expect(wrong).toEqual([]);
      for (const count of Object.values(seen)) expect(count).toBeGreaterThan(ROUNDS / 50);
    },
    TIMEOUT_MS,
  );
});
