import { DAY_MS, MINUTE_MS } from './durations.js';
import { canonicalZone } from './time.js';

/** The time of a wall clock, to the minute: as milliseconds, as if the zone were UTC. */
export type WallClock = (time: number) => number;

/** A stretch of time in which the clocks are not changed, in epoch milliseconds; the end is exclusive. */
export interface OffsetPeriod {
  from: number;
  to: number;
  /** Milliseconds ahead of UTC. */
  offset: number;
}

/** Cached by canonical name: a format takes about 30 KB, and users spell names in different ways. */
const clocks = new Map<string, WallClock>();

/** Null: there is no such zone. */
export function wallClockOf(zone: string): WallClock | null {
  const timeZone = canonicalZone(zone);
  if (timeZone === null) return null;
  const clock = clocks.get(timeZone) ?? makeClock(timeZone);
  clocks.set(timeZone, clock);
  return clock;
}

function makeClock(timeZone: string): WallClock {
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

/** Cache by canonical name: each entry covers a day, which would take 20 evaluations of the time zone. */
const lastRead = new Map<string, OffsetPeriod[]>();

/** The time from `from` to `to` divided where the zone's clocks are changed. Null: there is no such zone. */
export function offsetPeriods(zone: string, from: number, to: number): OffsetPeriod[] | null {
  const name = canonicalZone(zone);
  const clock = wallClockOf(zone);
  if (name === null || !clock) return null;
  let periods = lastRead.get(name) ?? [];
  if (!((periods.at(0)?.from ?? Infinity) <= from && to <= (periods.at(-1)?.to ?? 0))) {
    periods = readPeriods(clock, toMinute(from), to + DAY_MS);
    lastRead.set(name, periods);
  }
  return periods
    .filter((period) => period.from < to && period.to > from)
    .map((period) => ({ ...period, from: Math.max(period.from, from), to: Math.min(period.to, to) }));
}

function readPeriods(clock: WallClock, from: number, to: number): OffsetPeriod[] {
  const offsetAt = (time: number): number => clock(time) - toMinute(time);
  const periods: OffsetPeriod[] = [];
  let current = { from, offset: offsetAt(from) };
  // Nowhere are the clocks changed twice in a day.
  for (let time = from; time < to; time += DAY_MS) {
    const next = Math.min(time + DAY_MS, to);
    if (offsetAt(next) === current.offset) continue;
    const change = changeBetween(offsetAt, time, next);
    periods.push({ ...current, to: change });
    current = { from: change, offset: offsetAt(change) };
  }
  return [...periods, { ...current, to }];
}

const toMinute = (time: number): number => Math.floor(time / MINUTE_MS) * MINUTE_MS;

/** The first minute with another offset than `from`. */
function changeBetween(offsetAt: (time: number) => number, from: number, to: number): number {
  const before = offsetAt(from);
  let [last, changed] = [toMinute(from), toMinute(to)];
  while (changed - last > MINUTE_MS) {
    const middle = toMinute((last + changed) / 2);
    if (offsetAt(middle) === before) last = middle;
    else changed = middle;
  }
  return changed;
}

/** By canonical name. */
const offsets = new Map<string, string>();

/** Whether the clocks of two zones agree in each month of this year and the next. False where one does not exist. */
export function haveSameOffsets(zone: string, other: string): boolean {
  const [one, two] = [offsetSignature(zone), offsetSignature(other)];
  return one !== null && one === two;
}

/** Equal for zones whose clocks agree in each month of this year and the next. Null: there is no such zone. */
export function offsetSignature(zone: string): string | null {
  const name = canonicalZone(zone);
  const clock = wallClockOf(zone);
  if (name === null || !clock) return null;
  const known = offsets.get(name) ?? readOffsets(clock);
  offsets.set(name, known);
  return known;
}

const MONTHS = 24;

function readOffsets(clock: WallClock): string {
  const year = new Date().getUTCFullYear();
  const times = Array.from({ length: MONTHS }, (_, month) => Date.UTC(year, month, 15));
  return times.map((time) => (clock(time) - time) / MINUTE_MS).join();
}
