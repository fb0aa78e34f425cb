import { getTimezonesForCountry, type CountryCode } from 'countries-and-timezones';
import { countryOf } from '#src/common/phone/phone.js';
import { isTimeZone } from '#src/common/time/zones.js';

/**
 * The zone in which a lead's window is judged: its own variable, else its country's when the whole country
 * keeps one time, else the campaign's. Null when the lead names a zone that does not exist: do not dial.
 */
export function zoneOfLead(
  lead: { phoneNumber: string; variables: Record<string, unknown> },
  campaignZone: string,
): string | null {
  const own = Object.hasOwn(lead.variables, 'timezone') ? lead.variables.timezone : undefined;
  if (own !== undefined && own !== null && own !== '')
    return typeof own === 'string' && isTimeZone(own) ? own : null;
  return zoneOfCountry(countryOf(lead.phoneNumber)) ?? campaignZone;
}

function zoneOfCountry(country: string | null): string | null {
  if (country === null) return null;
  const zones = getTimezonesForCountry(country as CountryCode) ?? [];
  const times = new Set(zones.map(({ utcOffset, dstOffset }) => `${utcOffset}/${dstOffset}`));
  return times.size === 1 ? (zones[0]?.name ?? null) : null;
}
