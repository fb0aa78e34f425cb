import { describe, expect, it } from '@jest/globals';
import { persona } from './callees.js';
import { orderNamed } from './report-order.js';

const ORDERS = Array.from({ length: 1_000 }, (_, at) => orderNamed(String(1_000 + at)));

describe('the numbers with orders of their own', () => {
  it('are always the same', () => {
    expect(persona('1234').reportOrder).toEqual(orderNamed('1234'));
    expect(persona('1234').reportOrder).not.toEqual(persona('1235').reportOrder);
  });

  it.each(['initiated', 'ringing', 'answered', 'completed'] as const)(
    'report %s in time, late, twice and never',
    (event) => {
      const copies = ORDERS.map(({ reports }) => reports[event]);
      expect(copies.some(([first]) => first?.ms === 0)).toBe(true);
      expect(copies.some(([first]) => first !== undefined && first.ms > 10_000)).toBe(true);
      expect(new Set(copies.map(({ length }) => length))).toEqual(new Set([0, 1, 2]));
    },
  );

  it('report the end of a call before others, and before the request for instructions', () => {
    expect(ORDERS.some(({ reports }) => reports.answered[0]?.after === 'end')).toBe(true);
    expect(ORDERS.every(({ reports }) => reports.completed.every(({ after }) => after === 'event'))).toBe(
      true,
    );
    expect(ORDERS.some(({ endsFirst }) => endsFirst)).toBe(true);
  });

  it('contain contradictions about who answered', () => {
    const said = ORDERS.map(
      ({ detections }) => new Set(detections?.map(({ answeredBy }) => answeredBy)).size,
    );
    expect(new Set(said)).toEqual(new Set([0, 1, 2]));
  });
});
