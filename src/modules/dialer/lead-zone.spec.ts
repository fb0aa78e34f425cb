import { describe, expect, it } from '@jest/globals';
import { zoneKeyOf, zonesToAsk } from './lead-zone.js';

const zones = (phoneNumber: string, campaignZone: string, variables: Record<string, unknown> = {}) =>
  zonesToAsk(zoneKeyOf({ phoneNumber, variables }), { timezone: campaignZone });

const US_NUMBER = '+14155550100';

describe('zones of a number', () => {
  it('is the zone that the lead names', () => {
    expect(zones(US_NUMBER, 'UTC', { timezone: 'Asia/Tokyo' })).toEqual(['Asia/Tokyo']);
  });

  it('is none when the named zone does not exist, and no text', () => {
    expect(zones(US_NUMBER, 'America/Chicago', { timezone: 'Nowhere/At_All' })).toEqual([]);
    expect(zones(US_NUMBER, 'America/Chicago', { timezone: 5 })).toEqual([]);
  });

  it('is that of a country with one time', () => {
    expect(zones('+33142685300', 'UTC')).toEqual(['Europe/Paris']);
  });

  it("is the campaign's where it is one of the country's", () => {
    expect(zones(US_NUMBER, 'america/chicago')).toEqual(['america/chicago']);
  });

  it("is all of the country's where the campaign's is none of them", () => {
    expect(zones(US_NUMBER, 'Europe/Berlin')).toEqual(
      expect.arrayContaining(['America/New_York', 'America/Los_Angeles', 'Pacific/Honolulu']),
    );
  });

  it('is none for a number of no country', () => {
    expect(zones('+80012345678', 'Europe/Berlin')).toEqual([]);
  });
});
