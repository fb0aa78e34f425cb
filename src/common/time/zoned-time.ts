import { DAY_MS } from './durations.js';
import { wallClockOf } from './zone-clock.js';

const LOCAL = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?$/;
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The local time of a zone. */
export interface LocalTime {
  /** In English. */
  weekday: string;
  /** `YYYY-MM-DD` */
  date: string;
  /** `HH:MM`, from 00:00 to 23:59 */
  time: string;
}

/** @throws RangeError when there is no such zone */
export function localTime(moment: Date, zone: string): LocalTime {
  const clock = wallClockOf(zone);
  if (!clock) throw new RangeError(`There is no time zone ${zone}.`);
  const shown = new Date(clock(moment.getTime()));
  const text = shown.toISOString();
  return { weekday: WEEKDAYS[shown.getUTCDay()] ?? '', date: text.slice(0, 10), time: text.slice(11, 16) };
}

/**
 * The moment at which the clock of a zone shows `YYYY-MM-DDTHH:MM`; null for text of another form, a day that does not
 * exist and an unknown zone. A time that a change of the clocks repeats is its first one; one that it skips is as much
 * later as the clocks are put forward.
 */
export function zonedTime(local: string, zone: string): Date | null {
  const [, date, time] = LOCAL.exec(local) ?? [];
  const clock = wallClockOf(zone);
  if (date === undefined || time === undefined || !clock) return null;
  const wanted = new Date(`${date}T${time}:00Z`);
  if (Number.isNaN(wanted.getTime()) || !wanted.toISOString().startsWith(date)) return null;
  // Offsets of the day before and after: they differ only where the clocks change.
  const [before = 0, after = 0] = [-DAY_MS, DAY_MS].map((ms) => {
    const moment = wanted.getTime() + ms;
    return wanted.getTime() - (clock(moment) - moment);
  });
  const fits = [before, after].filter((moment) => clock(moment) === wanted.getTime());
  return new Date(fits.length > 0 ? Math.min(...fits) : before);
}
