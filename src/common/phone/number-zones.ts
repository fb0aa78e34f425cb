import { getTimezonesForCountry, type CountryCode } from 'countries-and-timezones';
import { offsetSignature } from '../time/zone-clock.js';
import { AREA_ZONES } from './area-zones.js';
import { numberRangeOf } from './phone.js';

/** Where a number may be. */
export interface NumberLocation {
  /** ISO 3166-1 alpha-2; null: the number belongs to no country. */
  country: string | null;
  /** IANA names, of zones with equal clocks one. Empty: not known. */
  zones: readonly string[];
}

const NOWHERE: NumberLocation = { country: null, zones: [] };

/** Area codes of the North American Numbering Plan with their calling code, as in `+1415`. */
const NANP = /^\+(1[2-9]\d\d)/;

/**
 * By area code, where the number plan has one and the number is geographic, else all zones of the number's country.
 * Docs: docs/build/adr/0025-time-zones-of-numbers.md.
 */
export function locateNumber(e164: string): NumberLocation {
  // North America first: its area codes determine the country, and parsing takes 10 µs.
  const area = areas.get(NANP.exec(e164)?.[1] ?? '');
  if (area) return area;
  const { country, isGeographic } = numberRangeOf(e164);
  if (country === null) return NOWHERE;
  const place = placeOfCountry(country);
  if (place.zones.length === 1) return place;
  const zones = areaZones(e164);
  if (!zones) return place;
  return place.zones.length === 0 || isGeographic() ? { country, zones } : place;
}

/** Of the longest prefix that has an entry. */
function areaZones(e164: string): readonly string[] | undefined {
  for (let length = Math.min(longestPrefix, e164.length - 1); length > 0; length--) {
    const zones = areas.get(e164.slice(1, length + 1))?.zones;
    if (zones) return zones;
  }
  return undefined;
}

const places = new Map<string, NumberLocation>();

function placeOfCountry(country: string): NumberLocation {
  const place = places.get(country) ?? { country, zones: countryZones(country) };
  places.set(country, place);
  return place;
}

/** Of the country (ISO 3166-1 alpha-2), as in `NumberLocation`. */
export const zonesOfCountry = (country: string): readonly string[] => placeOfCountry(country).zones;

/** Preferred are names that area codes have: New_York rather than Detroit. */
function countryZones(country: string): string[] {
  const all = getTimezonesForCountry(country as CountryCode) ?? [];
  const names = all.map(({ name }) => name).filter((name) => offsetSignature(name) !== null);
  const byPreference = [...names.filter((name) => areaNames.has(name)), ...names];
  const byOffsets = new Map(byPreference.toReversed().map((name) => [offsetSignature(name), name]));
  return [...byOffsets.values()].sort();
}

const areas = new Map<string, NumberLocation>();
const areaNames = new Set<string>();
let longestPrefix = 0;

for (const line of AREA_ZONES.trim().split('\n')) {
  const [country = '', names = '', ...prefixes] = line.split(' ');
  const place = { country: country === '~' ? null : country, zones: names.split('+') };
  for (const name of place.zones) areaNames.add(name);
  for (const prefix of prefixes) {
    areas.set(prefix, place);
    longestPrefix = Math.max(longestPrefix, prefix.length);
  }
}
