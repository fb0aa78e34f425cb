/** The API's times are of UTC: `2026-01-31 09:30:00` or `2026-01-31T09:30:00.000000Z`. */
export const parseTime = (text: string): Date =>
  new Date(/[zZ]|[+-]\d\d:\d\d$/.test(text) ? text : `${text.replace(' ', 'T')}Z`);

const dayFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'medium' });

/** Of a day without a time, e.g. `2026-01-31`: `31 Jan 2026`. */
export const formatDay = (day: string): string => dayFormat.format(new Date(`${day}T00:00:00Z`));

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

export function formatRelative(time: Date, now = Date.now()): string {
  const seconds = Math.round((time.getTime() - now) / 1000);
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return relative.format(Math.trunc(seconds / length), unit);
}

/** Of one time zone. */
export function timeFormats(zone: string) {
  const of = (options: Intl.DateTimeFormatOptions): ((time: Date) => string) => {
    const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options });
    return (time) => format.format(time);
  };
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
  return {
    zone,
    /** `31 Jan 2026, 09:30:00` */
    dateTime: of({ dateStyle: 'medium', timeStyle: 'medium' }),
    /** `31 Jan 2026` */
    date: of({ dateStyle: 'medium' }),
    /** `09:30` */
    hour: of({ hour: '2-digit', minute: '2-digit' }),
    /** `09:30:05` */
    time: of({ timeStyle: 'medium' }),
    /** `2026-01-31`, as the API's filters take it. */
    day: (time: Date): string => day.format(time),
  };
}

/** The zone of the browser, for accounts whose country has several. */
export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
