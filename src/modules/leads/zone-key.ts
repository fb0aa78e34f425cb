import { locateNumber } from '#src/common/phone/number-zones.js';
import { isSandboxNumber } from '#src/common/phone/phone.js';
import { parseTimeZone } from '#src/common/time/parse-time-zone.js';
import { canonicalZone } from '#src/common/time/time.js';
import { haveSameOffsets } from '#src/common/time/zone-clock.js';
import { localTime } from '#src/common/time/zoned-time.js';

/** A number with the variables of the lead or contact that it belongs to. */
export interface ZonedNumber {
  phoneNumber: string;
  variables: Record<string, unknown>;
}

/** The zone key of the sandbox's numbers: they belong to no country, and nobody is woken up. */
const CAMPAIGN_ZONE = '*';
/** Before the country of a zone key. */
const COUNTRY_MARK = '@';
/** Before the time that the person named, in epoch seconds. */
const NAMED_MARK = '!';

/** Local hours of appointments, `HH:MM`; the end is exclusive. */
export const APPOINTMENT_HOURS = { start: '08:00', end: '21:00' };

/**
 * Where a number may be, as text to store and to group by, of at most 40 zones. `*`: where the campaign is (the
 * sandbox's numbers). Empty: not known, or the variable `timezone` names no zone; the number is not dialled. Else the
 * possible time zones, of zones with equal clocks one, joined by spaces, and `@` with the number's country:
 * `America/Chicago America/New_York@US`. The variable `timezone` goes before the number's area code, and that before
 * its country; the country is always the number's. `addRequestedTime` may add `!` and a time.
 */
export function zoneKeyOf({ phoneNumber, variables }: ZonedNumber): string {
  const own = zoneInVariables(variables);
  if (own === null) return '';
  if (isSandboxNumber(phoneNumber)) return own ?? CAMPAIGN_ZONE;
  const { country, zones } = locateNumber(phoneNumber);
  const possible = own === undefined ? zones.join(' ') : own;
  return possible === '' || country === null ? possible : `${possible}${COUNTRY_MARK}${country}`;
}

/**
 * The key with the moment that the person named on a call, which may lie outside of the hours of appointments;
 * unchanged where it lies within them, or no zone is known. Few leads have one, so that keys still group them.
 */
export function addRequestedTime(key: string, at: Date): string {
  const { zones } = parseZoneKey(key);
  const isWithin = zones.every((zone) => {
    const { time } = localTime(at, zone);
    return time >= APPOINTMENT_HOURS.start && time < APPOINTMENT_HOURS.end;
  });
  const isKnown = key === CAMPAIGN_ZONE || zones.length > 0;
  if (!isKnown || (key !== CAMPAIGN_ZONE && isWithin)) return key;
  return `${key}${NAMED_MARK}${Math.floor(at.getTime() / 1000)}`;
}

/** The named moment of another key, which the same lead had before. */
export function keepRequestedTime(key: string, before: string | null): string {
  const named = before === null ? undefined : before.split(NAMED_MARK)[1];
  return named === undefined || key === '' ? key : `${key}${NAMED_MARK}${named}`;
}

interface ParsedZoneKey {
  isCampaigns: boolean;
  zones: string[];
  country: string | null;
  /** Epoch milliseconds. */
  namedAt: number | null;
}

function parseZoneKey(key: string): ParsedZoneKey {
  const [place = '', named] = key.split(NAMED_MARK);
  const [zones = '', country = null] = place.split(COUNTRY_MARK);
  const isCampaigns = zones === CAMPAIGN_ZONE;
  return {
    isCampaigns,
    zones: isCampaigns ? [] : zones.split(' ').filter(Boolean),
    country,
    namedAt: named === undefined ? null : Number(named) * 1000,
  };
}

/** The country in a zone key, whose quiet hours apply; null: none is known. */
export const countryOfZoneKey = (key: string): string | null => parseZoneKey(key).country;

/** When the person wants to be called, in epoch milliseconds; null: no time outside of the usual hours was named. */
export const requestedTimeOf = (key: string): number | null => parseZoneKey(key).namedAt;

/** The time zone settings of a campaign. */
export interface CampaignZone {
  timezone: string;
  /** Requires all possible zones, also where the campaign's is one of them. */
  strictTimezones: boolean;
}

/**
 * The zones in which a campaign's window must be open for numbers with this key. Of several possible ones the
 * campaign's decides, where its clock agrees with one of theirs. Empty: not dialled.
 */
export function relevantZones(key: string, { timezone, strictTimezones }: CampaignZone): string[] {
  const { isCampaigns, zones } = parseZoneKey(key);
  if (isCampaigns) return [timezone];
  if (strictTimezones || zones.length < 2) return zones;
  return zones.some((zone) => haveSameOffsets(zone, timezone)) ? [timezone] : zones;
}

/**
 * Where a person most likely is: the variable `timezone`, else the one zone of the number's area or country, else
 * `likely` where its clock agrees with one of the possible ones. Null: not known.
 */
export function customerTimezone({ phoneNumber, variables }: ZonedNumber, likely: string): string | null {
  const own = zoneInVariables(variables);
  if (own !== undefined) return own;
  const { zones } = locateNumber(phoneNumber);
  if (zones.length === 1) return zones[0] ?? null;
  return zones.some((zone) => haveSameOffsets(zone, likely)) ? canonicalZone(likely) : null;
}

/** Whether the variable `timezone` is there and names no zone: its number is not dialled. */
export const hasUnknownZone = (variables: Record<string, unknown>): boolean =>
  zoneInVariables(variables) === null;

/** Its canonical name. Undefined: none is named. Null: the named one does not exist. */
function zoneInVariables(variables: Record<string, unknown>): string | null | undefined {
  const own = Object.hasOwn(variables, 'timezone') ? variables.timezone : undefined;
  if (own === undefined || own === null) return undefined;
  if (typeof own !== 'string') return null;
  return own.trim() === '' ? undefined : parseTimeZone(own);
}
