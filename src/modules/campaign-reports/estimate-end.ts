import { OPEN_STATUSES } from '#src/modules/leads/lead.types.js';

/** Input of the estimate; times in milliseconds. */
export interface EndEstimateInput {
  now: number;
  /** By status. */
  leads: Readonly<Record<string, number>>;
  /** When the last waiting lead is due. */
  lastDue: number;
  finishedCalls: number;
  /** Mean of a call. */
  callMs: number;
  slots: number;
  /** Calls to each number. */
  maxRetries: number;
  retryMs: number;
}

/** Of a lead: below it nobody is expected to take another call. */
const LIKELY = 0.5;

/**
 * As if all slots were in use from now on. Each open lead takes one more call, when it is due; of these calls as large a
 * share is followed by a retry as of those before. Null: no lead is open, or no slot is there.
 */
export function estimateCampaignEnd({
  now,
  leads,
  lastDue,
  callMs,
  slots,
  ...rest
}: EndEstimateInput): number | null {
  const countOf = (status: string): number => leads[status] ?? 0;
  const open = OPEN_STATUSES.reduce((sum, status) => sum + countOf(status), 0);
  if (open <= 0 || slots <= 0) return null;
  const missed = shareOfMissed(rest.finishedCalls, countOf('completed'));
  const fresh = retriesOf(countOf('created'), missed, rest.maxRetries - 1);
  // They have had a call.
  const others = retriesOf(open - countOf('created'), missed, rest.maxRetries - 2);
  const rounds = Math.max(fresh.rounds, others.rounds);
  const called = Math.max(now + (open * callMs) / slots, lastDue + callMs);
  const work = now + ((open + fresh.calls + others.calls) * callMs) / slots;
  return Math.max(work, called + rounds * (rest.retryMs + callMs));
}

/** Each lead that was reached was so by one call. */
const shareOfMissed = (calls: number, reached: number): number =>
  calls <= 0 ? 0 : Math.min(1, Math.max(0, 1 - reached / calls));

/** @param most of one lead */
function retriesOf(leads: number, missed: number, most: number): { calls: number; rounds: number } {
  let [calls, rounds, left] = [0, 0, leads * missed];
  while (rounds < most && left >= LIKELY) {
    calls += left;
    rounds += 1;
    left *= missed;
  }
  return { calls, rounds };
}
