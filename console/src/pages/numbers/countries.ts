/** Countries in which carriers sell numbers, by ISO 3166-1 alpha-2; the browser knows their names. */
const CODES =
  'AR AT AU BA BE BG BR CA CH CL CO CR CY CZ DE DK DO EC EE ES FI FR GB GR HK HR HU ID IE IL IN IS IT JP KE KR LT LU LV MX MY NL NO NZ PA PE PH PL PR PT RO SE SG SI SK SV TH TN UG US UY ZA';

const names = new Intl.DisplayNames('en', { type: 'region' });

export const nameOfCountry = (code: string): string => names.of(code) ?? code;

export const countryOptions = (): { value: string; label: string }[] =>
  CODES.split(' ')
    .map((value) => ({ value, label: `${nameOfCountry(value)} (${value})` }))
    .sort((a, b) => a.label.localeCompare(b.label, 'en'));
