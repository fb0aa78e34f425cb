import { canonicalZone } from '#src/common/time/time.js';
import type { CampaignView } from '../campaigns/campaign-view.js';
import { WEEKDAYS } from '../campaigns/campaign.types.js';
import { zonesToAsk } from './lead-zone.js';

export interface DialWindow {
  /** `HH:MM`. The end is exclusive, `23:59` and `24:00` are the day's end; one before the start is on the next day. */
  start: string;
  end: string;
  /** Names of weekdays, in any case. */
  days: readonly string[];
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
const DAY_MS = DAY_MINUTES * MINUTE_MS;
/** A window whose only day is today may be over, or be skipped by a change to summer time. */
const DAYS_AHEAD = 14;

/** Milliseconds until the window is open in the zone: 0 now, null never (no day, or no such zone). */
export function msUntilOpen(window: DialWindow, zone: string, now: Date): number | null {
  const clock = clockOf(zone);
  if (!clock) return null;
  const { start, end, days } = readWindow(window);
  const isOpen = (time: number): boolean => {
    const wall = clock(time);
    const minute = (wall % DAY_MS) / MINUTE_MS;
    if (start <= end) return days.has(weekday(wall)) && minute >= start && minute < end;
    return (days.has(weekday(wall)) && minute >= start) || (days.has(weekday(wall - DAY_MS)) && minute < end);
  };
  const time = now.getTime();
  if (isOpen(time)) return 0;
  const today = Math.floor(clock(time) / DAY_MS) * DAY_MS;
  let opening = Infinity;
  for (let ahead = 0; ahead <= DAYS_AHEAD; ahead++) {
    const wall = today + ahead * DAY_MS + start * MINUTE_MS;
    // What lies around this day and the next ones is later.
    if (opening <= wall - DAY_MS) break;
    const moments = momentsAround(clock, wall).filter((moment) => moment > time && isOpen(moment));
    opening = Math.min(opening, ...moments);
  }
  return opening === Infinity ? null : opening - time;
}

function readWindow({ start, end, days }: DialWindow) {
  const last = minutes(end);
  return {
    start: minutes(start),
    end: last === DAY_MINUTES - 1 ? DAY_MINUTES : last,
    days: new Set(days.map((day) => day.toLowerCase())),
  };
}

function minutes(time: string): number {
  const [hours = '0', minute = '0'] = time.split(':');
  return Number(hours) * 60 + Number(minute);
}

const weekday = (wall: number): string => WEEKDAYS[(new Date(wall).getUTCDay() + 6) % 7] ?? '';

/**
 * When a clock shows this time, in order: twice on the day on which it is set back. Also the moment of such a change,
 * at which a window opens whose start it skips or whose end it repeats.
 */
function momentsAround(clock: Clock, wall: number): number[] {
  const offsetAt = (time: number): number => clock(time) - Math.floor(time / MINUTE_MS) * MINUTE_MS;
  const [before, after] = [offsetAt(wall - DAY_MS), offsetAt(wall + DAY_MS)];
  const shown = [...new Set([wall - before, wall - after])].filter((time) => clock(time) === wall);
  if (before === after) return shown;
  let [from, to] = [wall - DAY_MS, wall + DAY_MS];
  while (to - from > MINUTE_MS) {
    const middle = Math.floor((from + to) / 2 / MINUTE_MS) * MINUTE_MS;
    if (offsetAt(middle) === before) from = middle;
    else to = middle;
  }
  return [...shown, to].sort((one, other) => one - other);
}

/** What a wall clock shows at a time, to the minute: as milliseconds, as if the zone were UTC. */
type Clock = (time: number) => number;

/** Cached by canonical name: a format takes about 30 KB, and users spell names in different ways. */
const clocks = new Map<string, Clock>();

function clockOf(zone: string): Clock | null {
  const timeZone = canonicalZone(zone);
  if (timeZone === null) return null;
  const clock = clocks.get(timeZone) ?? makeClock(timeZone);
  clocks.set(timeZone, clock);
  return clock;
}

function makeClock(timeZone: string): Clock {
  const numeric = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, ...numeric, hourCycle: 'h23' });
  return (time) => {
    const parts = Object.fromEntries(
      format.formatToParts(time).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute);
  };
}

/** Zones of one country are open at once after a few openings, or never. */
const MOST_OPENINGS = 30;

/** A campaign's window at one moment; each key of zones is evaluated once. */
export class LeadWindows {
  private readonly waits = new Map<string, number | null>();
  private readonly window: DialWindow;

  constructor(
    private readonly campaign: CampaignView,
    private readonly now: Date,
  ) {
    const { allowedHoursStartTime: start, allowedHoursEndTime: end, allowedDays: days } = campaign;
    this.window = { start, end, days };
  }

  /** Milliseconds until numbers with this key of zones may be called; null: never. */
  msUntilOpen(key: string): number | null {
    let wait = this.waits.get(key);
    if (wait === undefined) {
      wait = this.judge(zonesToAsk(key, this.campaign));
      this.waits.set(key, wait);
    }
    return wait;
  }

  /** Until it is open in all zones at once. */
  private judge(zones: string[]): number | null {
    let wait = 0;
    for (let opening = 0; zones.length > 0 && opening < MOST_OPENINGS; opening++) {
      const at = new Date(this.now.getTime() + wait);
      const more = zones.map((zone) => msUntilOpen(this.window, zone, at));
      if (more.includes(null)) return null;
      const longest = Math.max(...more.map(Number));
      if (longest === 0) return wait;
      wait += longest;
    }
    return null;
  }
}
