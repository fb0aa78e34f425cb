import { DAY_MS } from '#src/common/time/durations.js';
import type { PhoneNumber } from './entities/phone-number.entity.js';

/** How long a number stays active whose next month the balance does not cover. */
export const GRACE_DAYS = 3;
/** How often the balance is looked at in these days. */
const TRY_AGAIN_MS = 15 * 60_000;

/**
 * The same day and time so many months later, in UTC, or the last day of a shorter month. Always counted from the
 * start: the months after 31 January end on 28 February and 31 March.
 */
export function monthsAfter(start: Date, months: number): Date {
  const end = new Date(start);
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(start.getUTCDate(), lastDay));
  return end;
}

const afterGrace = (paidUntil: Date): Date => new Date(paidUntil.getTime() + GRACE_DAYS * DAY_MS);

type Subscription = Pick<PhoneNumber, 'createdAt' | 'paidMonths'>;
type Changes = Pick<PhoneNumber, 'dueAt'> &
  Partial<Pick<PhoneNumber, 'paidMonths' | 'subscriptionExpiresAt' | 'unpaidSince'>>;

/** The end of the last month that is paid. */
export const paidUntil = ({ createdAt, paidMonths }: Subscription): Date =>
  monthsAfter(createdAt, paidMonths);

/** The subscription with so many months paid. */
export function extendSubscription(
  { createdAt }: Pick<Subscription, 'createdAt'>,
  paidMonths: number,
): Changes {
  const until = monthsAfter(createdAt, paidMonths);
  return { paidMonths, unpaidSince: null, subscriptionExpiresAt: afterGrace(until), dueAt: until };
}

/** The balance did not cover the next month. Null: the days of grace are over, and so is the subscription. */
export function lapseSubscription(
  subscription: Subscription & Pick<PhoneNumber, 'unpaidSince'>,
  now: Date,
): Changes | null {
  const end = afterGrace(paidUntil(subscription));
  if (now >= end) return null;
  const dueAt = new Date(Math.min(now.getTime() + TRY_AGAIN_MS, end.getTime()));
  return { dueAt, unpaidSince: subscription.unpaidSince ?? now };
}
