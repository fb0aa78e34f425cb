/** Postgres' text form of a `timestamptz`, and ISO 8601; the offset is required. */
const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?(?:Z|([+-]\d{2}):?(\d{2})?)$/;

/** `YYYY-MM-DD HH:MM:SS` in UTC; parts of a second are cut. */
export function toDateTime(date: Date): string {
  return date.toISOString().slice(0, 19).replace('T', ' ');
}

/**
 * ISO 8601 in UTC with six fractional digits and `Z`. A Date knows milliseconds only, so the text of a
 * `timestamptz` is taken too and keeps its microseconds. Throws RangeError for anything else.
 */
export function toIsoMicros(value: Date | string): string {
  if (typeof value !== 'string') return value.toISOString().replace('Z', '000Z');
  const [, day, time, fraction = '', hours = '+00', minutes = '00'] = TIMESTAMP.exec(value) ?? [];
  const second = new Date(`${day}T${time}${hours}:${minutes}`).toISOString().slice(0, 19);
  return `${second}.${fraction.padEnd(6, '0')}Z`;
}

/** Lower-cased names that were found to exist. Only these are kept: they are finite, what users invent is not. */
const known = new Set<string>();

/** Whether `name` is an identifier of the IANA time zone database (in any case); UTC offsets are not. */
export function isTimeZone(name: string): boolean {
  const key = name.toLowerCase();
  if (known.has(key)) return true;
  if (!/^[a-z]/.test(key) || !isAccepted(name)) return false;
  known.add(key);
  return true;
}

function isAccepted(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
