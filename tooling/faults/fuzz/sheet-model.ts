import { getExampleNumber, parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/examples.mobile.json' with { type: 'json' };
import type { Random } from '../support/random.js';
import { oneOf } from './odd-values.js';

/** A cell of a file, and the intended number. */
export interface SheetCell {
  cell: string;
  /** E.164; null: several numbers or none, and no import is allowed. */
  meant: string | null;
  /** The applied changes. */
  damage: string;
}

export const COUNTRIES: readonly CountryCode[] = [
  'US',
  'DE',
  'GB',
  'FR',
  'IT',
  'MX',
  'AR',
  'BR',
  'IN',
  'RU',
  'ES',
  'DK',
  'CI',
  'BJ',
  'AU',
  'JP',
];

const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** An assigned number of the country that is no extension of a shorter one. */
export function aNumberOf(country: CountryCode, random: Random): string {
  const example = getExampleNumber(country, examples)?.number ?? '';
  for (let tries = 0; tries < 50; tries++) {
    const tail = Array.from({ length: 6 }, () => Math.floor(random() * 10)).join('');
    const number = example.slice(0, -6) + tail;
    if (parsePhoneNumberFromString(number)?.isValid()) return number;
  }
  return example;
}

/** A spreadsheet's display of a number in a numeric cell: up to 15 digits are kept, and 11 are shown in full. */
function asNumber(digits: string): string {
  const kept = digits.replace(/^0+/, '');
  return kept.length > 15 ? kept.slice(0, 15) + '0'.repeat(kept.length - 15) : kept;
}

function scientific(digits: string, decimals: number): string {
  const kept = asNumber(digits);
  return `${Number(kept)
    .toExponential(decimals)
    .replace('e+', 'E+')
    .replace(/E\+(\d)$/, 'E+0$1')}`;
}

/**
 * With two decimals, as the format shows them, or with five where a cell is too narrow for 12 digits. With fewer than
 * nine digits the zeros are ambiguous: real numbers have them, too.
 */
function storedAgain(digits: string, random: Random): string {
  const { length } = asNumber(digits);
  if (length < 9) return asNumber(digits);
  return String(Number(scientific(digits, length < 12 ? 2 : 2 + Math.floor(random() * 4))));
}

type Damage = (written: string, random: Random, meant: string) => string;

/** The cell forms of one number. `written` is its typed form. */
const DAMAGES: Readonly<Record<string, Damage>> = {
  'text, as typed': (written) => written,
  'a number': (written) => asNumber(digitsOf(written)),
  'a number with decimals': (written, random) =>
    `${asNumber(digitsOf(written))}${oneOf(random, ['.0', '.00', ',0', ',00', '.'])}`,
  'a number with thousands signs and decimals': (written, random) => {
    const [thousands, decimals] = oneOf(random, [' .', "'.", '.,', ',.', '\u00a0,']);
    const groups = asNumber(digitsOf(written)).replace(/\B(?=(?:\d{3})+$)/g, thousands ?? '');
    return `${groups}${decimals}${oneOf(random, ['00', '00', '0', '5', '50'])}`;
  },
  'text with decimals': (_written, _random, meant) => `${meant}.0`,
  'a number with a fraction': (written, random) =>
    `${asNumber(digitsOf(written))}.${oneOf(random, ['5', '25', '000001', '9999', '000'])}`,
  'scientific notation': (written, random) => scientific(digitsOf(written), Math.floor(random() * 6)),
  'scientific notation with a comma': (written) => scientific(digitsOf(written), 3).replace('.', ','),
  'scientific notation that was stored again': (written, random) => storedAgain(digitsOf(written), random),
  'a formula of text': (written, random, meant) =>
    oneOf(random, [`="${written}"`, `=“${written}”`, `=${meant}`]),
  'a mark of text': (written, random) => oneOf(random, [`'${written}`, `’${written}`, `"${written}"`]),
  'a difference': (written) => String(-Number(digitsOf(written).slice(2, 8)) - 1),
  'an amount': (written) => `(${asNumber(digitsOf(written)).slice(-7)})`,
  'an error': (_, random) => oneOf(random, ['########', '#N/A', '#NAME?', '#VALUE!', '#REF!']),
  'a date': (_, random) => {
    const part = (max: number): string => String(1 + Math.floor(random() * max)).padStart(2, '0');
    return oneOf(random, [
      `${part(28)}.${part(12)}.2026`,
      `${part(12)}/${part(28)}/1999`,
      `2026-${part(12)}-${part(28)}`,
      `2026-${part(12)}-${part(28)} 00:00:00`,
    ]);
  },
  'odd characters': (written, random, meant) =>
    oneOf(random, [
      `\u202a${written}\u202c`,
      written.replaceAll(' ', '\u00a0'),
      `\u200b${written}\ufeff`,
      written.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
      written.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit))),
      `tel:${meant}`,
      `  ${written}\t`,
    ]),
};

/** Cells with more than one number, or with an extension: no part of them may be imported. */
const OTHERS: Readonly<Record<string, (one: string, other: string, random: Random) => string>> = {
  'two numbers': (one, other, random) =>
    `${one}${oneOf(random, ['/', ' / ', ';', ', ', '\n', ' or ', ' - ', '|', ' & '])}${other}`,
  'an extension': (one, _, random) =>
    `${one}${oneOf(random, [' x12', ' ext. 5', ';ext=5', ' #5', ',,5', ' Durchwahl 12'])}`,
};

/** @param country of the account that imports the file */
export function aSheetCell(country: CountryCode, random: Random): SheetCell {
  const meant = aNumberOf(country, random);
  if (random() < 0.15) {
    const damage = oneOf(random, Object.keys(OTHERS));
    return { cell: OTHERS[damage]?.(meant, aNumberOf(country, random), random) ?? '', meant: null, damage };
  }
  const parsed = parsePhoneNumberFromString(meant);
  const written = oneOf(random, [
    meant,
    parsed?.formatInternational() ?? meant,
    parsed?.formatNational() ?? meant,
  ]);
  const damage = oneOf(random, Object.keys(DAMAGES));
  return { cell: DAMAGES[damage]?.(written, random, meant) ?? '', meant, damage };
}
