import dayjs from 'dayjs';
import timezone from 'dayjs/plugin/timezone';
import utc from 'dayjs/plugin/utc';

dayjs.extend(utc);
dayjs.extend(timezone);

/** @param text what a date picker tells, e.g. `2026-01-31 09:30:00`, of the clocks in `zone`. @returns ISO 8601 */
export const instantOf = (text: string, zone: string): string => dayjs.tz(text, zone).toISOString();

/** For a date picker: what the clocks in `zone` show. */
export const clockOf = (time: Date, zone: string): string =>
  dayjs(time).tz(zone).format('YYYY-MM-DD HH:mm:ss');
