import { RestError, type RestErrorCode } from './rest-error.js';

export type NumberList = 'Local' | 'Mobile' | 'TollFree';

export interface NumberForSale {
  phoneNumber: string;
  country: string;
  list: NumberList;
  region: string | null;
}

interface Range {
  /** E.164 */
  prefix: string;
  /** Digits after it, the first of which is 2 to 9. */
  digits: number;
  region: string | null;
}

/** The carrier's ranges; numbers of other ranges are not sold. */
const RANGES: Record<string, Partial<Record<NumberList, Range[]>>> = {
  US: {
    Local: [
      { prefix: '+1415', digits: 7, region: 'CA' },
      { prefix: '+1212', digits: 7, region: 'NY' },
      { prefix: '+1312', digits: 7, region: 'IL' },
    ],
    TollFree: [{ prefix: '+1888', digits: 7, region: null }],
  },
  CA: { Local: [{ prefix: '+1416', digits: 7, region: 'ON' }] },
  GB: {
    Local: [{ prefix: '+4420', digits: 8, region: 'London' }],
    Mobile: [{ prefix: '+447', digits: 9, region: null }],
    TollFree: [{ prefix: '+44808', digits: 7, region: null }],
  },
  DE: { Local: [{ prefix: '+4930', digits: 8, region: 'Berlin' }] },
};

/** Numbers searched in each range. */
const LISTED = 2_000;
/** Coprime to every count of numbers, so that each number occurs once. */
const STEP = 1_234_577;

/** Scenario of a number, by its last four digits. */
export interface NumberScenario {
  /** The purchase is refused. */
  refusal: RestErrorCode | null;
  /** The number is bought, but without a response, or with an error. */
  answer: 'given' | 'lost' | 'error';
  /** Milliseconds until the number is bought, see ClockSpeed. */
  delayMs: number;
  addressRequirements: 'none' | 'any';
  /** The first request to release it fails. */
  releaseFails: boolean;
}

const PLAIN: NumberScenario = {
  refusal: null,
  answer: 'given',
  delayMs: 0,
  addressRequirements: 'none',
  releaseFails: false,
};

const SCENARIOS: Record<string, Partial<NumberScenario>> = {
  // The number is no longer available.
  '9001': { refusal: 21422 },
  '9002': { refusal: 21631, addressRequirements: 'any' },
  '9003': { answer: 'lost' },
  '9004': { answer: 'error' },
  '9005': { refusal: 20500 },
  '9006': { refusal: 20429 },
  '9007': { delayMs: 3_000 },
  '9008': { releaseFails: true },
};

export const scenarioOf = (phoneNumber: string): NumberScenario => ({
  ...PLAIN,
  ...SCENARIOS[phoneNumber.slice(-4)],
});

/** @throws RestError 21421 for an invalid number, 21422 for an unavailable one */
export function numberForSale(phoneNumber: string): NumberForSale {
  if (!/^\+[1-9]\d{6,14}$/.test(phoneNumber)) throw new RestError(21421);
  for (const [country, lists] of Object.entries(RANGES)) {
    for (const [list, ranges] of Object.entries(lists)) {
      const range = ranges.find(({ prefix, digits }) =>
        new RegExp(`^\\${prefix}[2-9]\\d{${digits - 1}}$`).test(phoneNumber),
      );
      if (range) return { phoneNumber, country, list: list as NumberList, region: range.region };
    }
  }
  throw new RestError(21422);
}

/**
 * Numbers of a list that contain the pattern: at most `limit`, those with a scenario last.
 * @throws RestError 20404 for a country without numbers for sale
 */
export function searchNumbers(
  country: string,
  list: NumberList,
  contains: string | undefined,
  limit: number,
): NumberForSale[] {
  const ranges = RANGES[country]?.[list];
  if (!ranges) throw new RestError(20404);
  const pattern = toPattern(contains);
  return ranges
    .flatMap((range) => candidates(range).map((phoneNumber) => ({ phoneNumber, region: range.region })))
    .filter(({ phoneNumber }) => pattern.test(phoneNumber))
    .slice(0, limit)
    .map((number) => ({ ...number, country, list }));
}

function candidates({ prefix, digits }: Range): string[] {
  const lowest = 2 * 10 ** (digits - 1);
  const count = 8 * 10 ** (digits - 1);
  const plain = Array.from({ length: LISTED }, (_, index) => lowest + ((index * STEP) % count));
  const special = Object.keys(SCENARIOS).map((last) => lowest + Number(last));
  return [...plain, ...special].map((subscriber) => prefix + String(subscriber));
}

const KEYS = ['abc', 'def', 'ghi', 'jkl', 'mno', 'pqrs', 'tuv', 'wxyz'];

/**
 * Letters stand for the keys of a telephone, `*` is one digit, `%` any number of digits; `+` begins and `$` ends a
 * number.
 */
function toPattern(contains = '%'): RegExp {
  if (!/^\+?[0-9a-z*%]{1,16}\$?$/i.test(contains)) throw new RestError(20001);
  const digits = contains.toLowerCase().replace(/[a-z]/g, (letter) => {
    return String(KEYS.findIndex((letters) => letters.includes(letter)) + 2);
  });
  const body = digits.replace('+', '\\+').replaceAll('*', '\\d').replaceAll('%', '\\d*');
  return new RegExp(contains.startsWith('+') ? `^${body}` : body);
}
