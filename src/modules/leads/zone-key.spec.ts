import { describe, expect, it } from '@jest/globals';
import { getCountries, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/examples.mobile.json';
import { countryOf } from '#src/common/phone/phone.js';
import {
  countryOfZoneKey,
  customerTimezone,
  keepRequestedTime,
  requestedTimeOf,
  addRequestedTime,
  zoneKeyOf,
  relevantZones,
} from './zone-key.js';

const key = (phoneNumber: string, variables: Record<string, unknown> = {}) =>
  zoneKeyOf({ phoneNumber, variables });

const US_ZONES =
  'America/Adak America/Boise America/Chicago America/Juneau America/Los_Angeles America/New_York America/Phoenix Pacific/Honolulu@US';

describe('zoneKeyOf', () => {
  it.each([
    ['San Francisco', '+14155550100', 'America/Los_Angeles@US'],
    ['Chicago', '+13125550100', 'America/Chicago@US'],
    ['Arizona, without summer time', '+16025550100', 'America/Phoenix@US'],
    ['a number shorter than the plan has', '+1234567890', 'America/New_York@US'],
    ['Toronto', '+14165550100', 'America/Toronto@CA'],
    ['Jamaica', '+18765550100', 'America/Jamaica@JM'],
    ['France', '+33142685300', 'Europe/Paris@FR'],
    ['Brisbane and the north of New South Wales', '+61733331234', 'Australia/Brisbane Australia/Sydney@AU'],
    ['Melbourne', '+61393331234', 'Australia/Sydney@AU'],
    ['Moscow', '+74951234567', 'Europe/Moscow@RU'],
    ['Vladivostok', '+74232123456', 'Asia/Vladivostok@RU'],
    ['a mobile number of São Paulo', '+5511987654321', 'America/Sao_Paulo@BR'],
    ['Kosovo, which has no zone of its own', '+38338123456', 'Europe/Belgrade@XK'],
    ['the Canary Islands', '+34928123456', 'Atlantic/Canary@ES'],
  ])('is the zone of the area: %s', (_title, number, zones) => {
    expect(key(number)).toBe(zones);
  });

  it.each([
    ['an area code across a border of zones', '+18505550100', 'America/Chicago America/New_York@US'],
    ['a toll-free number', '+18005551234', US_ZONES],
    ['a toll-free number of another area code', '+18335551234', US_ZONES],
  ])('is all possible zones of %s', (_title, number, zones) => {
    expect(key(number)).toBe(zones);
  });

  it('is all zones of the country for mobile numbers where these have no area', () => {
    const [zones = '', country] = key('+61412345678').split('@');
    expect(country).toBe('AU');
    expect(zones.split(' ')).toEqual(
      expect.arrayContaining([
        'Australia/Adelaide',
        'Australia/Brisbane',
        'Australia/Perth',
        'Australia/Sydney',
      ]),
    );
    const russian = /^Asia\/Anadyr .*Asia\/Vladivostok .*Europe\/Kaliningrad Europe\/Moscow .*@RU$/;
    expect(key('+79161234567')).toMatch(russian);
    // Toll-free, although the data has an entry for its first digits.
    expect(key('+78001234567')).toMatch(russian);
  });

  it('is the zone that the lead names, under its canonical name, with the country of the number', () => {
    expect(key('+14155550100', { timezone: 'asia/TOKYO' })).toBe('Asia/Tokyo@US');
    expect(key('+80012345678', { timezone: 'Asia/Tokyo' })).toBe('Asia/Tokyo');
    expect(key('+15005550020', { timezone: 'Asia/Tokyo' })).toBe('Asia/Tokyo');
    expect(key('+14155550100', { timezone: ' Eastern Standard Time ' })).toBe('America/New_York@US');
  });

  it("leaves the sandbox's numbers to the campaign", () => {
    expect(key('+15005550020')).toBe('*');
    expect(key('+15005550020', { timezone: '' })).toBe('*');
  });

  it('is empty when the named zone does not exist or is no text, and for a number of no country', () => {
    for (const timezone of ['Nowhere/At_All', 5, '*', 'Europe/Berlin America/New_York']) {
      expect(key('+14155550100', { timezone })).toBe('');
      expect(key('+15005550020', { timezone })).toBe('');
    }
    expect(key('+80012345678')).toBe('');
    expect(key('+11234567890')).toBe('');
  });

  it.each(getCountries())('has at most 40 zones and the country for a mobile number of %s', (country) => {
    const number = getExampleNumber(country, examples)?.number ?? '';
    const [zones = '', ofKey] = key(number).split('@');
    // The data has no zone of Tristan da Cunha.
    if (country === 'TA') expect(zones).toBe('');
    else {
      expect(ofKey).toBe(countryOf(number));
      expect(zones.split(' ').length).toBeLessThanOrEqual(40);
      for (const zone of zones.split(' ')) expect(zone).toMatch(/^[A-Z][\w+-]+\/[\w/+-]+$/);
    }
  });
});

describe('countryOfZoneKey', () => {
  it.each([
    ['America/Chicago America/New_York@US', 'US'],
    ['Asia/Tokyo', null],
    ['*', null],
    ['', null],
  ])('of %j is %s', (of, country) => expect(countryOfZoneKey(of)).toBe(country));
});

describe('zonesToAsk', () => {
  const BORDER = 'America/Chicago America/New_York@US';
  const ask = (of: string, timezone: string, strictTimezones = false) =>
    relevantZones(of, { timezone, strictTimezones });

  it('is the one zone of the number', () => {
    expect(ask('Asia/Tokyo@JP', 'Europe/Berlin')).toEqual(['Asia/Tokyo']);
    expect(ask('Asia/Tokyo', 'Europe/Berlin', true)).toEqual(['Asia/Tokyo']);
  });

  it("is the campaign's where it is one of several, by name or by its clock", () => {
    expect(ask(BORDER, 'america/chicago')).toEqual(['america/chicago']);
    expect(ask(BORDER, 'America/Toronto')).toEqual(['America/Toronto']);
  });

  it("is all of several where the campaign's is none of them, or all are always asked", () => {
    expect(ask(BORDER, 'Europe/Berlin')).toEqual(['America/Chicago', 'America/New_York']);
    expect(ask(BORDER, 'America/Chicago', true)).toEqual(['America/Chicago', 'America/New_York']);
    // Its winter is their summer.
    expect(ask('America/Boise America/Halifax@CA', 'America/Santiago')).toHaveLength(2);
  });

  it("is the campaign's for the sandbox's numbers, and none where no zone is known", () => {
    expect(ask('*', 'Europe/Berlin', true)).toEqual(['Europe/Berlin']);
    expect(ask('', 'Europe/Berlin')).toEqual([]);
  });
});

describe('customerTimezone', () => {
  const zone = (phoneNumber: string, likely: string, variables: Record<string, unknown> = {}) =>
    customerTimezone({ phoneNumber, variables }, likely);

  it("is the variable's, else that of the area code", () => {
    expect(zone('+14155550100', 'UTC', { timezone: 'Asia/Tokyo' })).toBe('Asia/Tokyo');
    expect(zone('+14155550100', 'America/New_York')).toBe('America/Los_Angeles');
  });

  it('is the likely one where several are possible and it is one of them, else unknown', () => {
    expect(zone('+18005551234', 'america/detroit')).toBe('America/Detroit');
    expect(zone('+18005551234', 'Europe/Berlin')).toBeNull();
    expect(zone('+14155550100', 'UTC', { timezone: 'Nowhere/At_All' })).toBeNull();
  });
});

describe('a time that the person named', () => {
  const night = new Date('2026-03-02T22:30:00Z');
  const berlin = 'Europe/Berlin@DE';

  it('stands in the key where it lies outside of the hours of appointments in one of the zones', () => {
    const named = addRequestedTime(berlin, night);
    expect(named).toBe(`${berlin}!1772490600`);
    expect(requestedTimeOf(named)).toBe(night.getTime());
    expect(countryOfZoneKey(named)).toBe('DE');
    expect(relevantZones(named, { timezone: 'UTC', strictTimezones: false })).toEqual(['Europe/Berlin']);
    // 14:30 and 22:30: one zone's day is another one's night.
    expect(requestedTimeOf(addRequestedTime('America/Los_Angeles UTC@US', night))).toBe(night.getTime());
    expect(
      relevantZones(addRequestedTime('*', night), { timezone: 'Asia/Tokyo', strictTimezones: true }),
    ).toEqual(['Asia/Tokyo']);
  });

  it.each([
    [berlin, '2026-03-02T07:00:00Z'],
    [berlin, '2026-03-02T19:59:00Z'],
    ['', '2026-03-02T22:30:00Z'],
  ])('does not where it lies within them or no zone is known: %j at %s', (zoneKey, at) => {
    expect(addRequestedTime(zoneKey, new Date(at))).toBe(zoneKey);
    expect(requestedTimeOf(zoneKey)).toBeNull();
  });

  it('is kept when the key becomes another', () => {
    expect(keepRequestedTime('UTC', addRequestedTime(berlin, night))).toBe('UTC!1772490600');
    expect(keepRequestedTime('UTC', berlin)).toBe('UTC');
    expect(keepRequestedTime('UTC', null)).toBe('UTC');
    expect(keepRequestedTime('', addRequestedTime(berlin, night))).toBe('');
  });
});
