import { describe, expect, it } from '@jest/globals';
import { verifyPurchases, verifyYear, type NumberRow, type PurchaseObservations } from './numbers.js';

const PRICE = 2_000_000n;

const row = (id: number, fields: Partial<NumberRow> = {}): NumberRow => ({
  id,
  account: id,
  number: `+1415${id}`,
  state: 'active',
  months: 1,
  price: PRICE,
  isUnpaid: false,
  isActive: true,
  paid: PRICE,
  ...fields,
});
const failed = (id: number, fields: Partial<NumberRow> = {}) =>
  row(id, { state: 'failed', paid: 0n, isActive: false, ...fields });
const answer = (id: number, fields: Partial<PurchaseObservations['answers'][number]> = {}) => ({
  account: id,
  number: `+1415${id}`,
  status: 201,
  id: id as number | null,
  isConfirmed: true,
  ...fields,
});
const REFUSED = { status: 422, id: null };
const seen = (fields: Partial<PurchaseObservations> = {}): PurchaseObservations => ({
  rows: [row(1), failed(2)],
  answers: [answer(1), answer(2, REFUSED)],
  asked: 2,
  owned: ['+14151'],
  released: [],
  atLeastBought: 1,
  audit: [],
  ...fields,
});

describe('verifyPurchases', () => {
  it('accepts a number that is bought and paid beside one that is neither', () => {
    expect(verifyPurchases(seen())).toEqual([]);
  });

  it('accepts a purchase that is reported as unconfirmed and not made', () => {
    expect(verifyPurchases(seen({ answers: [answer(1), answer(2, { isConfirmed: false })] }))).toEqual([]);
  });

  it('accepts a released number', () => {
    const rows = [row(1, { state: 'released', isActive: false }), failed(2)];
    expect(verifyPurchases(seen({ rows, owned: [], released: [1] }))).toEqual([]);
  });

  it.each<[string, Partial<PurchaseObservations>, RegExp]>([
    ['a release that was forgotten', { released: [1] }, /\+14151 is active instead of released/],
    [
      'a number that is billed after its release',
      { rows: [row(1, { state: 'released' }), failed(2)], released: [1] },
      /bills \+14151, nobody has it/,
    ],
    [
      'a release that nobody asked for',
      { rows: [row(1, { state: 'released' }), failed(2)], owned: [] },
      /is released instead of active/,
    ],
    ['too few purchases', { atLeastBought: 2 }, /^only 1 of 2/],
    ['a request without an answer', { asked: 3 }, /^1 of 3 requests/],
    ['two owners', { rows: [row(1), row(3, { number: '+14151' }), failed(2)] }, /belonged to two accounts/],
    ['a number that was bought twice', { owned: ['+14151', '+14151'] }, /bought twice/],
    ['a number that nobody pays', { owned: ['+14151', '+14152'] }, /bills \+14152, nobody has it/],
    ['a number that the carrier does not have', { owned: [] }, /does not have \+14151/],
    [
      'an order that was never settled',
      { rows: [row(1), failed(2), row(3, { state: 'buying' })] },
      /\+14153 is buying instead of active or failed/,
    ],
    ['two months taken at once', { rows: [row(1, { paid: 2n * PRICE }), failed(2)] }, /4000000 micro-units/],
    [
      'a failed order that is not refunded',
      { rows: [row(1), failed(2, { paid: PRICE })] },
      /2000000 micro-units/,
    ],
    ['an answer with another number', { answers: [answer(1), answer(2, { id: 1 })] }, /not its own/],
    ['a confirmed purchase that failed', { answers: [answer(1), answer(2)] }, /confirmed to its buyer/],
    [
      'an answer of another kind',
      { answers: [answer(1), answer(2, { status: 402, id: null })] },
      /answered 402/,
    ],
    ['findings of the audit', { audit: ['wrong'] }, /^wrong$/],
  ])('finds %s', (_, fields, problem) => {
    expect(verifyPurchases(seen(fields))).toContainEqual(expect.stringMatching(problem));
  });
});

describe('verifyYear', () => {
  const paying = {
    name: 'rich',
    expected: { months: 13, state: 'active' as const, graceDays: null as number | null },
    row: row(1, { months: 13, paid: 13n * PRICE }),
    graceDays: null as number | null,
    wasActiveInGrace: true,
    isAtCarrier: true,
  };
  const ended = {
    ...paying,
    name: 'poor',
    expected: { months: 5, state: 'released' as const, graceDays: 3 },
    row: row(2, { months: 5, paid: 5n * PRICE, state: 'released', isActive: false }),
    graceDays: 3,
    isAtCarrier: false,
  };

  it('accepts a year that is paid and one that ends', () => {
    expect(verifyYear({ subscriptions: [paying, ended], audit: [] })).toEqual([]);
  });

  it.each<[string, Partial<typeof paying>, string]>([
    ['a month too few', { row: row(1, { months: 12, paid: 13n * PRICE }) }, '12 months instead of 13'],
    [
      'a month taken twice',
      { row: row(1, { months: 13, paid: 14n * PRICE }) },
      '28000000 micro-units were taken',
    ],
    ['a number that ended', { row: { ...paying.row, state: 'released' } }, 'released instead of active'],
    ['days of grace', { graceDays: 1 }, '1 days of grace instead of null'],
    ['inactivity in them', { wasActiveInGrace: false }, 'not active in the days of grace'],
    ['a number that is gone', { isAtCarrier: false }, 'the carrier does not have it'],
  ])('finds %s', (_, fields, problem) => {
    expect(verifyYear({ subscriptions: [{ ...paying, ...fields }], audit: [] })).toEqual([
      `rich: ${problem}`,
    ]);
  });

  it('finds a number that is billed after its end, and reports findings of the audit', () => {
    expect(verifyYear({ subscriptions: [{ ...ended, isAtCarrier: true }], audit: ['wrong'] })).toEqual([
      'poor: the carrier has it',
      'wrong',
    ]);
  });
});
