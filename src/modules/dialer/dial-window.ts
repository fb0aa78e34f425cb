import { isTimeZone } from '#src/common/time/time.js';
import { offsetPeriods, type OffsetPeriod } from '#src/common/time/zone-clock.js';
import type { CampaignView } from '../campaigns/campaign-view.js';
import { WEEKDAYS, type CampaignWindow, type Weekday } from '../campaigns/campaign.types.js';
import { APPOINTMENT_HOURS, countryOfZoneKey, requestedTimeOf, relevantZones } from '../leads/zone-key.js';
import { DAY_MS, MINUTE_MS } from '#src/common/time/durations.js';

export interface DialWindow {
  /** `HH:MM`. The end is exclusive, `23:59` and `24:00` are the day's end; one before the start is on the next day. */
  start: string;
  end: string;
  /** Names of weekdays, in any case. */
  days: readonly string[];
}

/** In epoch milliseconds; the end is exclusive. Lists of them are in order and do not overlap. */
interface Interval {
  from: number;
  to: number;
}

const DAY_MINUTES = 24 * 60;
/** A window whose only day is today may be over, and next week's be skipped by a change to summer time. */
const DAYS_AHEAD = 15;

/**
 * Milliseconds until, in all of the zones at once, a window of each list is open: 0 now. Null: at no moment of the next
 * 15 days, or a zone does not exist.
 */
export function msUntilWindowOpens(
  lists: readonly (readonly DialWindow[])[],
  zones: readonly string[],
  now: Date,
): number | null {
  const times = zones.flatMap((zone) => lists.map((windows) => openIntervals(windows, zone, now)));
  const [first] = times.reduce(intersectIntervals);
  return first === undefined ? null : first.from - now.getTime();
}

/** From now on, for `DAYS_AHEAD`. */
function openIntervals(windows: readonly DialWindow[], zone: string, now: Date): Interval[] {
  const start = now.getTime();
  const periods = offsetPeriods(zone, start, start + DAYS_AHEAD * DAY_MS) ?? [];
  const read = windows.map(parseWindow);
  const open = periods.flatMap((period) => read.flatMap((window) => intervalsIn(window, period)));
  return mergeIntervals(open);
}

interface ParsedWindow {
  /** Minutes since the day's begin; the end may be on the next day. */
  start: number;
  end: number;
  days: Set<string>;
}

function parseWindow({ start, end, days }: DialWindow): ParsedWindow {
  const [first, last] = [minutesOf(start), minutesOf(end)];
  const until = last === DAY_MINUTES - 1 ? DAY_MINUTES : last;
  return {
    start: first,
    end: until < first ? until + DAY_MINUTES : until,
    days: new Set(days.map((day) => day.toLowerCase())),
  };
}

function minutesOf(time: string): number {
  const [hours = '0', minute = '0'] = time.split(':');
  return Number(hours) * 60 + Number(minute);
}

const weekdayOf = (wall: number): string => WEEKDAYS[(new Date(wall).getUTCDay() + 6) % 7] ?? '';

/** Within a period the local time runs as UTC does, so that a window's hours are moved by the offset only. */
function intervalsIn({ start, end, days }: ParsedWindow, { from, to, offset }: OffsetPeriod): Interval[] {
  const open: Interval[] = [];
  // One over midnight may have begun on the day before.
  const firstDay = Math.floor((from + offset) / DAY_MS) * DAY_MS - DAY_MS;
  for (let day = firstDay; day < to + offset; day += DAY_MS) {
    if (!days.has(weekdayOf(day))) continue;
    const opening = Math.max(from, day + start * MINUTE_MS - offset);
    const closing = Math.min(to, day + end * MINUTE_MS - offset);
    if (opening < closing) open.push({ from: opening, to: closing });
  }
  return open;
}

function mergeIntervals(intervals: Interval[]): Interval[] {
  const merged: Interval[] = [];
  for (const { from, to } of intervals.sort((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

/** The times that lie in both lists. */
function intersectIntervals(some: Interval[], others: Interval[]): Interval[] {
  const common: Interval[] = [];
  for (let one = 0, other = 0; one < some.length && other < others.length;) {
    const [first, second] = [some[one] as Interval, others[other] as Interval];
    const [from, to] = [Math.max(first.from, second.from), Math.min(first.to, second.to)];
    if (from < to) common.push({ from, to });
    if (first.to < second.to) one++;
    else other++;
  }
  return common;
}

const DAILY: Weekday[] = [...WEEKDAYS];
const MONDAY_TO_FRIDAY = DAILY.slice(0, 5);
const WEEKEND = DAILY.slice(5);

/** 47 CFR § 64.1200(c)(1): no telephone solicitation before 8 a.m. or after 9 p.m. at the called party's location. */
const UNITED_STATES: readonly CampaignWindow[] = [{ days: DAILY, start: '08:00', end: '21:00' }];

/**
 * Hours outside which the law of a country forbids to call for sales, for campaigns with `quiet_hours: auto`: by ISO
 * country, the times that are allowed. Only rules with a known source. Public holidays, which Australia, France and
 * Spain forbid too, are not known here.
 */
export const ALLOWED_HOURS: ReadonlyMap<string, readonly CampaignWindow[]> = new Map<
  string,
  readonly CampaignWindow[]
>([
  ['US', UNITED_STATES],
  // Territories of the United States: 47 U.S.C. § 153(58).
  ['AS', UNITED_STATES],
  ['GU', UNITED_STATES],
  ['MP', UNITED_STATES],
  ['PR', UNITED_STATES],
  ['VI', UNITED_STATES],
  [
    // CRTC, Unsolicited Telecommunications Rules, part III, section 23.
    'CA',
    [
      { days: MONDAY_TO_FRIDAY, start: '09:00', end: '21:30' },
      { days: WEEKEND, start: '10:00', end: '18:00' },
    ],
  ],
  [
    // Telecommunications (Telemarketing and Research Calls) Industry Standard 2017.
    'AU',
    [
      { days: MONDAY_TO_FRIDAY, start: '09:00', end: '20:00' },
      { days: ['saturday'], start: '09:00', end: '17:00' },
    ],
  ],
  [
    // Code de la consommation, article D. 223-9 (décret n° 2022-1313).
    'FR',
    [
      { days: MONDAY_TO_FRIDAY, start: '10:00', end: '13:00' },
      { days: MONDAY_TO_FRIDAY, start: '14:00', end: '20:00' },
    ],
  ],
  // Real Decreto Legislativo 1/2007, artículo 96.2.
  ['ES', [{ days: MONDAY_TO_FRIDAY, start: '09:00', end: '21:00' }]],
]);

/** Of a number whose windows are never open at once, when it is looked at again. */
const RECHECK_MS = 3_600_000;

/** How long after the minute that a person named the call may still begin outside of the hours of appointments. */
const NAMED_TIME_GRACE_MS = 15 * MINUTE_MS;

/** The calling hours of a campaign. */
export type CampaignHours = Pick<
  CampaignView,
  | 'timezone'
  | 'strictTimezones'
  | 'windows'
  | 'allowedHoursStartTime'
  | 'allowedHoursEndTime'
  | 'allowedDays'
  | 'quietHours'
>;

/** A campaign's windows at one moment, and the quiet hours below them; each zone key is evaluated once. */
export class LeadWindows {
  private readonly waits = new Map<string, number | null>();
  private readonly windows: readonly DialWindow[];

  constructor(
    private readonly campaign: CampaignHours,
    private readonly now: Date,
  ) {
    const { windows, allowedHoursStartTime: start, allowedHoursEndTime: end, allowedDays: days } = campaign;
    this.windows = windows.length > 0 ? windows : [{ start, end, days }];
  }

  /**
   * Milliseconds until numbers with this zone key (`zoneKeyOf`) may be called: 0 now. Null: they are not dialled, for
   * no zone is known (`no_timezone`). An hour, to look again, where no moment of the next 15 days suits.
   */
  msUntilWindowOpens(key: string): number | null {
    const known = this.waits.get(key);
    if (known !== undefined) return known;
    const wait = this.computeWait(key);
    this.waits.set(key, wait);
    return wait;
  }

  /** The same for a lead with an appointment; a time that the person named on a call counts at any hour. */
  msUntilAppointment(key: string): number | null {
    const wait = msUntilAppointmentHours(relevantZones(key, this.campaign), this.now);
    const named = requestedTimeOf(key);
    const now = this.now.getTime();
    return wait === null || named === null || now >= named + NAMED_TIME_GRACE_MS
      ? wait
      : Math.min(wait, Math.max(0, named - now));
  }

  private computeWait(key: string): number | null {
    const allowed =
      this.campaign.quietHours === 'auto' ? ALLOWED_HOURS.get(countryOfZoneKey(key) ?? '') : undefined;
    const lists = allowed ? [this.windows, allowed] : [this.windows];
    return msUntilOpenInZones(lists, relevantZones(key, this.campaign), this.now);
  }
}

/** Null: no zone is known. */
function msUntilOpenInZones(
  lists: readonly (readonly DialWindow[])[],
  zones: readonly string[],
  now: Date,
): number | null {
  if (zones.length === 0 || !zones.every(isTimeZone)) return null;
  return msUntilWindowOpens(lists, zones, now) ?? RECHECK_MS;
}

const APPOINTMENTS: readonly DialWindow[] = [{ days: WEEKDAYS, ...APPOINTMENT_HOURS }];

/**
 * Milliseconds until a lead with an appointment may be called: it ignores the campaign's hours and days, but not
 * 08:00–21:00 in all of the zones (`zonesToAsk`). 0 now. Null: no zone is given, or one does not exist. An hour, to
 * look again, where it is never 08:00–21:00 in all of them.
 */
export function msUntilAppointmentHours(zones: readonly string[], now: Date): number | null {
  return msUntilOpenInZones([APPOINTMENTS], zones, now);
}
