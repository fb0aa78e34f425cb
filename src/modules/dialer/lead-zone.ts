import { getTimezonesForCountry, type CountryCode } from 'countries-and-timezones';
import { countryOf, isSandboxNumber } from '#src/common/phone/phone.js';
import { canonicalZone, isTimeZone } from '#src/common/time/time.js';

/** A number with the variables of the lead or contact that it belongs to. */
export interface ZonedNumber {
  phoneNumber: string;
  variables: Record<string, unknown>;
}

/** Of numbers that belong to no country: the campaign's zone decides. */
const CAMPAIGN_ZONE = '*';

/**
 * The time zones in which a number may be, as one text: `*` for the sandbox's numbers, empty where none is known or the
 * variable `timezone` names none, else names with spaces between them.
 */
export function zoneKeyOf({ phoneNumber, variables }: ZonedNumber): string {
  const own = ownZone(variables);
  if (own !== undefined) return own ?? '';
  // They belong to no country, and nobody is woken up.
  return isSandboxNumber(phoneNumber) ? CAMPAIGN_ZONE : countryZones(phoneNumber).join(' ');
}

/** In which of them the window must be open. Empty: the number is not dialled. */
export function zonesToAsk(key: string, { timezone }: { timezone: string }): string[] {
  if (key === CAMPAIGN_ZONE) return [timezone];
  const zones = key.split(' ').filter(Boolean);
  return zones.length > 1 && isOneOf(timezone, zones) ? [timezone] : zones;
}

/**
 * Where a person most likely is: the variable `timezone`, else the one zone of the number's country, else `likely` where
 * it is one of the country's. Null: not known.
 */
export function customerTimezone({ phoneNumber, variables }: ZonedNumber, likely: string): string | null {
  const own = ownZone(variables);
  if (own !== undefined) return own;
  const zones = countryZones(phoneNumber);
  if (zones.length === 1) return zones[0] ?? null;
  return isOneOf(likely, zones) ? canonicalZone(likely) : null;
}

/** Undefined: none is named. Null: the named one does not exist. */
function ownZone(variables: Record<string, unknown>): string | null | undefined {
  const own = Object.hasOwn(variables, 'timezone') ? variables.timezone : undefined;
  if (own === undefined || own === null || own === '') return undefined;
  return typeof own === 'string' && isTimeZone(own) ? own : null;
}

/** One where all have the same offsets in summer and winter. */
function countryZones(phoneNumber: string): string[] {
  const country = countryOf(phoneNumber);
  const zones = country === null ? [] : (getTimezonesForCountry(country as CountryCode) ?? []);
  const names = zones.map(({ name }) => name);
  const times = new Set(zones.map(({ utcOffset, dstOffset }) => `${utcOffset}/${dstOffset}`));
  return times.size === 1 ? names.slice(0, 1) : names;
}

function isOneOf(name: string, zones: string[]): boolean {
  const canonical = canonicalZone(name);
  return canonical !== null && zones.some((zone) => canonicalZone(zone) === canonical);
}
