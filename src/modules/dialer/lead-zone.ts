import { getTimezonesForCountry, type CountryCode } from 'countries-and-timezones';
import { countryOf, isSandboxNumber } from '#src/common/phone/phone.js';
import { canonicalZone, isTimeZone } from '#src/common/time/time.js';

/** A number with the variables of the lead or contact that it belongs to. */
export interface ZonedNumber {
  phoneNumber: string;
  variables: Record<string, unknown>;
}

/**
 * The time zones in which the window of a number must be open: the one in its variable `timezone`, else those of its
 * country. Where these differ, the campaign's zone decides if it is one of them. Empty: the number belongs to no
 * country, or the named zone does not exist; it is not dialled.
 */
export function zonesOf({ phoneNumber, variables }: ZonedNumber, campaignZone: string): string[] {
  const own = ownZone(variables);
  if (own !== undefined) return own === null ? [] : [own];
  // They belong to no country, and nobody is woken up.
  if (isSandboxNumber(phoneNumber)) return [campaignZone];
  const zones = countryZones(phoneNumber);
  return zones.length > 1 && isOneOf(campaignZone, zones) ? [campaignZone] : zones;
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
