import { describe, expect, it } from '@jest/globals';
import { monthsAfter, paidUntil, extendSubscription, lapseSubscription } from './subscription.js';

const HOUR_MS = 3_600_000;

const at = (text: string): Date => new Date(`${text}Z`);
const text = (date: Date | null): string | undefined => date?.toISOString().slice(0, 19);

describe('monthsAfter', () => {
  it.each([
    ['2027-01-31T10:00:00', 1, '2027-02-28T10:00:00'],
    ['2027-01-31T10:00:00', 2, '2027-03-31T10:00:00'],
    ['2028-01-30T00:00:00', 1, '2028-02-29T00:00:00'],
    ['2027-12-31T23:59:59', 2, '2028-02-29T23:59:59'],
    ['2027-05-31T12:00:00', 13, '2028-06-30T12:00:00'],
    // In UTC, whatever clocks do in between.
    ['2027-03-15T01:30:00', 1, '2027-04-15T01:30:00'],
  ])('%s and %i months are %s', (start, months, end) => {
    expect(text(monthsAfter(at(start), months))).toBe(end);
  });
});

/** The renewals of a subscription as the job makes them, from its start on; the balance pays while `pays` says so. */
function simulate(start: Date, days: number, pays: (now: Date) => boolean) {
  let subscription = {
    createdAt: start,
    unpaidSince: null as Date | null,
    ...extendSubscription({ createdAt: start }, 1),
  };
  const paid: string[] = [];
  const end = new Date(start.getTime() + days * 24 * HOUR_MS);
  for (let now = start; now < end; now = subscription.dueAt ?? end) {
    const due = {
      ...subscription,
      paidMonths: subscription.paidMonths ?? 0,
      unpaidSince: subscription.unpaidSince,
    };
    if (now < paidUntil(due)) continue;
    if (pays(now)) {
      paid.push(text(now) ?? '');
      subscription = { ...subscription, ...extendSubscription(due, due.paidMonths + 1), unpaidSince: null };
      continue;
    }
    const changes = lapseSubscription(due, now);
    if (changes === null) return { ...subscription, paid, endedAt: text(now) };
    subscription = { ...subscription, ...changes, unpaidSince: changes.unpaidSince ?? null };
  }
  return { ...subscription, paid, endedAt: undefined };
}

describe('a subscription', () => {
  it('is paid twelve times in a year, on the last day of shorter months', () => {
    const { paid, endedAt, paidMonths } = simulate(at('2027-01-31T08:00:00'), 366, () => true);
    expect(paid.map((moment) => moment.slice(5, 10)).join(' ')).toBe(
      '02-28 03-31 04-30 05-31 06-30 07-31 08-31 09-30 10-31 11-30 12-31 01-31',
    );
    expect([paidMonths, endedAt]).toEqual([13, undefined]);
  });

  it('ends three days after the month that the balance does not cover', () => {
    const start = at('2027-01-31T08:00:00');
    const { paid, endedAt, unpaidSince, subscriptionExpiresAt } = simulate(
      start,
      366,
      (now) => now < at('2027-05-01T00:00:00'),
    );
    expect(paid).toHaveLength(3);
    expect(text(unpaidSince)).toBe('2027-05-31T08:00:00');
    expect([endedAt, text(subscriptionExpiresAt ?? null)]).toEqual([
      '2027-06-03T08:00:00',
      '2027-06-03T08:00:00',
    ]);
  });

  it('continues with a payment in the days of grace, and its months stay where they were', () => {
    const { paid, endedAt, unpaidSince } = simulate(
      at('2027-01-10T08:00:00'),
      120,
      (now) => now < at('2027-02-01T00:00:00') || now >= at('2027-02-12T20:00:00'),
    );
    expect(paid).toEqual(['2027-02-12T20:00:00', '2027-03-10T08:00:00', '2027-04-10T08:00:00']);
    expect([endedAt, unpaidSince]).toEqual([undefined, null]);
  });

  it('is tried again until the last moment of the days of grace', () => {
    const number = { createdAt: at('2027-01-10T08:00:00'), paidMonths: 1, unpaidSince: null };
    expect(text(lapseSubscription(number, at('2027-02-13T07:50:00'))?.dueAt ?? null)).toBe(
      '2027-02-13T08:00:00',
    );
    expect(lapseSubscription(number, at('2027-02-13T08:00:00'))).toBeNull();
  });
});
