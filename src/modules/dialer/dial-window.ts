import { canonicalZone } from '#src/common/time/zones.js';

export const WEEKDAYS = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;

export interface DialWindow {
  /** `HH:MM`, both ends included; an end before the start means over midnight. */
  start: string;
  end: string;
  /** Names of weekdays, in any case. */
  days: string[];
}

const DAY = 24 * 60;
/** By canonical name: some 30 KB each, and users spell a name as they like. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** Milliseconds until the window is open in the zone: 0 now, null never (no day, or no such zone). */
export function msUntilOpen(window: DialWindow, zone: string, now: Date): number | null {
  const local = localMinute(zone, now);
  if (!local) return null;
  const days = new Set(window.days.map((day) => day.toLowerCase()));
  const start = minutes(window.start);
  const end = minutes(window.end);
  if (isOpen(local, start, end, days)) return 0;
  // A change of daylight saving in between shifts this by an hour; the window is judged again at that time.
  for (let ahead = 0; ahead <= 7; ahead++) {
    const day = WEEKDAYS[(local.day + ahead) % 7] ?? '';
    const wait = ahead * DAY + start - local.minute;
    if (wait > 0 && days.has(day)) return wait * 60_000 - (now.getTime() % 60_000);
  }
  return null;
}

function isOpen(
  local: { day: number; minute: number },
  start: number,
  end: number,
  days: Set<string>,
): boolean {
  const today = days.has(WEEKDAYS[local.day] ?? '');
  if (start <= end) return today && local.minute >= start && local.minute <= end;
  const yesterday = days.has(WEEKDAYS[(local.day + 6) % 7] ?? '');
  return (today && local.minute >= start) || (yesterday && local.minute <= end);
}

function minutes(time: string): number {
  const [hours = '0', minute = '0'] = time.split(':');
  return Number(hours) * 60 + Number(minute);
}

function localMinute(zone: string, now: Date): { day: number; minute: number } | null {
  const format = formatOf(zone);
  if (!format) return null;
  const parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]));
  const day = WEEKDAYS.findIndex((name) => name === parts.weekday?.toLowerCase());
  return { day, minute: Number(parts.hour) * 60 + Number(parts.minute) };
}

function formatOf(zone: string): Intl.DateTimeFormat | null {
  const timeZone = canonicalZone(zone);
  if (timeZone === null) return null;
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  formats.set(timeZone, format);
  return format;
}
