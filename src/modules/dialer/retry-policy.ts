import type { LeadOutcome } from '../leads/lead.types.js';

export interface DialOutcome {
  status: 'completed' | 'busy' | 'no-answer' | 'failed';
  answeredBy: 'human' | 'machine' | 'unknown';
  /** Null: the evaluation failed. */
  evaluation: Record<string, unknown> | null;
  /** The carrier reports that this number cannot be dialled at all. */
  numberInvalid: boolean;
}

export interface RetryRules {
  maxRetries: number;
  /** Minutes. */
  retryInterval: number;
  retryOnVoicemail: boolean;
  retryOnGoalIncomplete: boolean;
  goalCompletionVariable: string | null;
}

export interface DialledNumbers {
  /** Attempts at each number of the lead that may be dialled, the main one first, including the one just made. */
  attempts: { id: number; attempts: number }[];
  /** Null: the dialled number is none of the lead's any more. */
  dialledId: number | null;
}

export type RetryDecision =
  { status: 'completed' } | { status: 'rescheduled'; inMs: number } | { status: 'reached-max-retries' };

/** The status of a lead after a call to it. Numbers are tried in order, each `maxRetries` times. */
export function decideRetry(
  outcome: DialOutcome,
  rules: RetryRules,
  { attempts, dialledId }: DialledNumbers,
): RetryDecision {
  if (isLeadReached(outcome, rules)) return { status: 'completed' };
  const remaining = attempts.filter(
    (number) => number.attempts < rules.maxRetries && !(outcome.numberInvalid && number.id === dialledId),
  );
  const [next] = remaining;
  if (!next) return { status: 'reached-max-retries' };
  // The pause applies between calls to one number, not before another number.
  return { status: 'rescheduled', inMs: next.id === dialledId ? rules.retryInterval * 60_000 : 0 };
}

/** The call's outcome, as the lead shows it. */
export function toLeadOutcome(outcome: DialOutcome, rules: RetryRules): LeadOutcome {
  if (outcome.numberInvalid) return 'invalid_number';
  if (outcome.status !== 'completed') return outcome.status;
  if (outcome.answeredBy === 'machine') return 'machine';
  return isGoalMissed(outcome, rules) ? 'goal_incomplete' : 'completed';
}

function isLeadReached(outcome: DialOutcome, rules: RetryRules): boolean {
  if (outcome.status !== 'completed') return false;
  if (outcome.answeredBy === 'machine' && rules.retryOnVoicemail) return false;
  return !isGoalMissed(outcome, rules);
}

/** A failed evaluation is not a missed goal. */
function isGoalMissed({ evaluation }: DialOutcome, rules: RetryRules): boolean {
  const goal = rules.goalCompletionVariable;
  if (!rules.retryOnGoalIncomplete || goal === null || evaluation === null) return false;
  const value = Object.hasOwn(evaluation, goal) ? evaluation[goal] : null;
  return value === null || value === undefined || value === false || value === '' || value === 0;
}
