import type { AccountView } from './accounts.service.js';

/** Maximum duration and cost of a new call. Computed under the account's lock, together with the call. */
export interface CallBudget {
  pricePerMinuteMicros: bigint;
  /** Held on the balance from now until the call is charged. */
  holdMicros: bigint;
  /** Longest conversation, in seconds. */
  maxDurationSeconds: number;
  /** When the carrier ends the call by itself, in seconds from the answer. */
  carrierLimitSeconds: number;
}

const MINUTE_SECONDS = 60;
/** How long a call may outlast its limit: the goodbye and the carrier's delay. */
export const LIMIT_GRACE_SECONDS = 30;

/**
 * The wanted duration, or the whole minutes that the available balance pays where those are fewer; then the carrier
 * ends the call within the last paid minute. Null: not even one minute is paid for, as `can_call` of the view
 * `account_plans` is in SQL.
 */
export function callBudget(
  { availableMicros, plan: { pricePerMinuteMicros } }: Pick<AccountView, 'availableMicros' | 'plan'>,
  wantedSeconds: number,
): CallBudget | null {
  if (availableMicros <= 0n || availableMicros < pricePerMinuteMicros) return null;
  const paidSeconds = secondsPaid(availableMicros, pricePerMinuteMicros);
  const maxDurationSeconds = Math.min(wantedSeconds, paidSeconds);
  return {
    pricePerMinuteMicros,
    holdMicros: BigInt(Math.ceil(maxDurationSeconds / MINUTE_SECONDS)) * pricePerMinuteMicros,
    maxDurationSeconds,
    carrierLimitSeconds: Math.min(wantedSeconds + LIMIT_GRACE_SECONDS, paidSeconds),
  };
}

const secondsPaid = (availableMicros: bigint, pricePerMinuteMicros: bigint): number =>
  pricePerMinuteMicros === 0n
    ? Number.POSITIVE_INFINITY
    : Number(availableMicros / pricePerMinuteMicros) * MINUTE_SECONDS;

/** Whether calls that are running hold a part of the balance. */
export const hasHeldBalance = ({ balanceMicros, availableMicros }: AccountView): boolean =>
  balanceMicros !== availableMicros;

/** Of as many calls as the available balance pays at once, `most` at the most. */
export function callBudgets(account: AccountView, wantedSeconds: number, most: number): CallBudget[] {
  const { plan } = account;
  const budgets: CallBudget[] = [];
  for (let { availableMicros } = account; budgets.length < most;) {
    const budget = callBudget({ availableMicros, plan }, wantedSeconds);
    if (budget === null) break;
    budgets.push(budget);
    availableMicros -= budget.holdMicros;
  }
  return budgets;
}
