import { WEEKDAYS, type CampaignWindow, type Weekday } from '../campaigns/campaign.types.js';

const DAILY: Weekday[] = [...WEEKDAYS];
const MONDAY_TO_FRIDAY = DAILY.slice(0, 5);
const WEEKEND = DAILY.slice(5);

/** 47 CFR § 64.1200(c)(1): no telephone solicitation before 8 a.m. or after 9 p.m. at the called party's location. */
const UNITED_STATES: readonly CampaignWindow[] = [{ days: DAILY, start: '08:00', end: '21:00' }];

/**
 * Hours outside which the law of a country forbids to call for sales, for campaigns with `quiet_hours: auto`: by ISO
 * country, the times that are allowed. Only rules with a known source. Public holidays, which Australia, France and
 * Spain forbid too, are not known here.
 */
export const ALLOWED_HOURS: ReadonlyMap<string, readonly CampaignWindow[]> = new Map<
  string,
  readonly CampaignWindow[]
>([
  ['US', UNITED_STATES],
  // Territories of the United States: 47 U.S.C. § 153(58).
  ['AS', UNITED_STATES],
  ['GU', UNITED_STATES],
  ['MP', UNITED_STATES],
  ['PR', UNITED_STATES],
  ['VI', UNITED_STATES],
  [
    // CRTC, Unsolicited Telecommunications Rules, part III, section 23.
    'CA',
    [
      { days: MONDAY_TO_FRIDAY, start: '09:00', end: '21:30' },
      { days: WEEKEND, start: '10:00', end: '18:00' },
    ],
  ],
  [
    // Telecommunications (Telemarketing and Research Calls) Industry Standard 2017.
    'AU',
    [
      { days: MONDAY_TO_FRIDAY, start: '09:00', end: '20:00' },
      { days: ['saturday'], start: '09:00', end: '17:00' },
    ],
  ],
  [
    // Code de la consommation, article D. 223-9 (décret n° 2022-1313).
    'FR',
    [
      { days: MONDAY_TO_FRIDAY, start: '10:00', end: '13:00' },
      { days: MONDAY_TO_FRIDAY, start: '14:00', end: '20:00' },
    ],
  ],
  // Real Decreto Legislativo 1/2007, artículo 96.2.
  ['ES', [{ days: MONDAY_TO_FRIDAY, start: '09:00', end: '21:00' }]],
]);
