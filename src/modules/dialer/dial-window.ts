import { getTimezonesForCountry, type CountryCode } from 'countries-and-timezones';
import { countryOf } from '#src/common/phone/phone.js';
import { isTimeZone, canonicalZone } from '#src/common/time/time.js';
import type { CampaignView } from '../campaigns/campaign-view.js';
import { WEEKDAYS } from '../campaigns/campaign.types.js';

/**
 * Time zone of a lead's window: the lead's own variable, else its country's when the whole country has one zone,
 * else the campaign's. Null when the lead names a zone that does not exist: it is not dialled.
 */
export function resolveLeadTimezone(
  lead: { phoneNumber: string; variables: Record<string, unknown> },
  campaignZone: string,
): string | null {
  const own = Object.hasOwn(lead.variables, 'timezone') ? lead.variables.timezone : undefined;
  if (own !== undefined && own !== null && own !== '')
    return typeof own === 'string' && isTimeZone(own) ? own : null;
  return zoneOfCountry(countryOf(lead.phoneNumber)) ?? campaignZone;
}

/**
 * Where a person most likely is: the variable `timezone`, else the one zone of the number's country, else `likely` where
 * it is one of the country's. Null: not known.
 */
export function customerTimezone(
  lead: { phoneNumber: string; variables: Record<string, unknown> },
  likely: string,
): string | null {
  const known = resolveLeadTimezone(lead, '');
  if (known !== '') return known;
  const country = countryOf(lead.phoneNumber);
  const zones = country === null ? [] : (getTimezonesForCountry(country as CountryCode) ?? []);
  const name = canonicalZone(likely);
  return name !== null && zones.some((zone) => canonicalZone(zone.name) === name) ? name : null;
}

function zoneOfCountry(country: string | null): string | null {
  if (country === null) return null;
  const zones = getTimezonesForCountry(country as CountryCode) ?? [];
  const times = new Set(zones.map(({ utcOffset, dstOffset }) => `${utcOffset}/${dstOffset}`));
  return times.size === 1 ? (zones[0]?.name ?? null) : null;
}

export interface DialWindow {
  /** `HH:MM`, both ends included; an end before the start means over midnight. */
  start: string;
  end: string;
  /** Names of weekdays, in any case. */
  days: string[];
}

const DAY = 24 * 60;
/** Cached by canonical name: a format takes about 30 KB, and users spell names in different ways. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** Milliseconds until the window is open in the zone: 0 now, null never (no day, or no such zone). */
export function msUntilOpen(window: DialWindow, zone: string, now: Date): number | null {
  const local = localMinute(zone, now);
  if (!local) return null;
  const days = new Set(window.days.map((day) => day.toLowerCase()));
  const start = minutes(window.start);
  const end = minutes(window.end);
  if (isOpen(local, start, end, days)) return 0;
  // A daylight saving change in between shifts this by an hour; the window is evaluated again at that time.
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

const UNKNOWN_ZONE_MS = 3_600_000;

/** A campaign's window at one moment; each zone is evaluated once. */
export class LeadWindows {
  private readonly waits = new Map<string, number>();

  constructor(
    private readonly campaign: CampaignView,
    private readonly now: Date,
  ) {}

  /** Milliseconds until the number may be called; an hour when the zone cannot be resolved. */
  msUntilOpen(lead: { phoneNumber: string; variables: Record<string, unknown> }): number {
    const zone = resolveLeadTimezone(lead, this.campaign.timezone);
    if (zone === null) return UNKNOWN_ZONE_MS;
    const wait = this.waits.get(zone) ?? this.judge(zone);
    this.waits.set(zone, wait);
    return wait;
  }

  private judge(zone: string): number {
    const { allowedHoursStartTime: start, allowedHoursEndTime: end, allowedDays: days } = this.campaign;
    return msUntilOpen({ start, end, days }, zone, this.now) ?? UNKNOWN_ZONE_MS;
  }
}
