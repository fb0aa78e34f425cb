import { DAY_MS } from './durations.js';

/** Postgres' text form of a `timestamptz`, and ISO 8601; the offset is required. */
const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?(?:Z|([+-]\d{2}):?(\d{2})?)$/;

const SIXTY = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
/** Cache of the last day: the dozens of times of a page are mostly of one day. */
let lastDay = { number: Number.NaN, text: '' };

/** `YYYY-MM-DD` in UTC. @throws RangeError for an invalid date */
function dayOf(date: Date): string {
  const number = Math.floor(date.getTime() / DAY_MS);
  // Also of an invalid date, whose number equals none.
  if (number !== lastDay.number) lastDay = { number, text: date.toISOString().slice(0, -14) };
  return lastDay.text;
}

/** `HH:MM:SS` in UTC. */
function timeOf(date: Date): string {
  const milliseconds = date.getTime();
  const second = Math.floor((milliseconds - Math.floor(milliseconds / DAY_MS) * DAY_MS) / 1000);
  const minute = Math.floor(second / 60);
  return `${SIXTY[Math.floor(minute / 60)]}:${SIXTY[minute % 60]}:${SIXTY[second % 60]}`;
}

/** `YYYY-MM-DD HH:MM:SS` in UTC; parts of a second are cut. */
export const toDateTime = (date: Date): string => `${dayOf(date)} ${timeOf(date)}`;

/**
 * ISO 8601 in UTC with six fractional digits and `Z`. A Date has milliseconds only, so the text of a `timestamptz` is
 * accepted too and keeps its microseconds. Throws RangeError for anything else.
 */
export function toIsoMicros(value: Date | string): string {
  if (typeof value !== 'string') {
    const milliseconds = String(value.getUTCMilliseconds()).padStart(3, '0');
    return `${dayOf(value)}T${timeOf(value)}.${milliseconds}000Z`;
  }
  const [, day, time, fraction = '', hours = '+00', minutes = '00'] = TIMESTAMP.exec(value) ?? [];
  const second = new Date(`${day}T${time}${hours}:${minutes}`).toISOString().slice(0, 19);
  return `${second}.${fraction.padEnd(6, '0')}Z`;
}

/** Identifiers are words of letters, digits and `_+-` between slashes; the longest known one has 32 characters. */
const IDENTIFIER = /^[a-z][a-z0-9_+-]*(?:\/[a-z0-9_+-]+)*$/i;
const MAX_LENGTH = 64;

/**
 * Canonical names by the lower-cased name that was found to exist. Only these are kept: they are finite, what users
 * invent and the ways to spell a name are not.
 */
const known = new Map<string, string>();

/** Whether `name` is an identifier of the IANA time zone database (in any case); UTC offsets are not. */
export function isTimeZone(name: string): boolean {
  return canonicalZone(name) !== null;
}

/** `Europe/Berlin` for `europe/BERLIN`, one name for all names of a zone. Null: there is no such zone. */
export function canonicalZone(name: string): string | null {
  if (name.length > MAX_LENGTH || !IDENTIFIER.test(name)) return null;
  const key = name.toLowerCase();
  const canonical = known.get(key) ?? lookUp(name);
  if (canonical !== null) known.set(key, canonical);
  return canonical;
}

function lookUp(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
