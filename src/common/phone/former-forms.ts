import { toE164 } from './phone.js';

/** Ways back from the form that is dialled today, see `oneForm`; what has another form today is left out. */
const WAYS_BACK: readonly [today: RegExp, former: string][] = [
  ...['1', '01', '044', '045'].map((prefix): [RegExp, string] => [/^\+52(\d{10})$/, `+52${prefix}$1`]),
  [/^\+55(\d\d)9(\d{8})$/, '+55$1$2'],
  [/^\+22901(\d{8})$/, '+229$1'],
  [/^\+549(\d{10})$/, '+5490$1'],
  ...[2, 3, 4].map((area): [RegExp, string] => [
    new RegExp(`^\\+549(?<area>\\d{${area}})(?<rest>\\d+)$`),
    '+549$<area>15$<rest>',
  ]),
];

/**
 * The number and the forms of it that earlier versions stored: calls and messages keep the form that was dialled.
 * @param number in E.164
 */
export const withFormerForms = (number: string): string[] => [
  number,
  ...WAYS_BACK.filter(([today]) => today.test(number))
    .map(([today, former]) => number.replace(today, former))
    .filter((former) => toE164(former, '') === number),
];
