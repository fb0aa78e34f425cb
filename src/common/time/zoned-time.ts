import { canonicalZone } from './time.js';

const LOCAL = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?$/;

/** How the clock stands at a place. */
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
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    weekday: 'long',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  return {
    weekday: parts.weekday ?? '',
    date: `${parts.year}-${parts.month}-${parts.day}`,
    time: `${parts.hour}:${parts.minute}`,
  };
}

/**
 * The moment at which the clock of a zone shows `YYYY-MM-DDTHH:MM`; null for text of another form, a day that does not
 * exist and an unknown zone. A time that a change of the clocks repeats is its first one; one that it skips is as much
 * later as the clocks are put forward.
 */
export function zonedTime(local: string, zone: string): Date | null {
  const [, date, time] = LOCAL.exec(local) ?? [];
  if (date === undefined || time === undefined || canonicalZone(zone) === null) return null;
  const wanted = new Date(`${date}T${time}:00Z`);
  if (Number.isNaN(wanted.getTime()) || !wanted.toISOString().startsWith(date)) return null;
  const shown = (offsetMs: number): Date => new Date(wanted.getTime() - offsetMs);
  // Offsets of the day before and after: they differ only where the clocks change.
  const day = 86_400_000;
  const [before, after] = [-day, day].map((ms) => offsetAt(new Date(wanted.getTime() + ms), zone));
  const fits = [shown(before ?? 0), shown(after ?? 0)].filter((moment) => {
    const clock = localTime(moment, zone);
    return clock.date === date && clock.time === time;
  });
  return fits.sort((one, other) => one.getTime() - other.getTime())[0] ?? shown(before ?? 0);
}

/** How far the zone's clock is ahead of UTC, in milliseconds. */
function offsetAt(moment: Date, zone: string): number {
  const { date, time } = localTime(moment, zone);
  const minute = Math.floor(moment.getTime() / 60_000) * 60_000;
  return Date.parse(`${date}T${time}:00Z`) - minute;
}
