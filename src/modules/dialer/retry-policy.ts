import type { DialPause } from '../campaigns/campaign-view.js';

export interface DialOutcome {
  status: 'completed' | 'busy' | 'no-answer' | 'failed';
  answeredBy: 'human' | 'machine' | 'unknown';
  evaluation: Record<string, unknown>;
  /** The carrier reports that this number cannot be dialled at all. */
  numberInvalid: boolean;
  /** The call never reached the carrier. */
  neverAttempted: boolean;
}

export interface RetryRules {
  maxRetries: number;
  /** Minutes. */
  retryInterval: number;
  retryOnVoicemail: boolean;
  retryOnGoalIncomplete: boolean;
  goalCompletionVariable: string | null;
}

export interface Dialled {
  /** Attempts at each number of the lead, the main one first, including the one just made. */
  attempts: { id: number; attempts: number }[];
  dialledId: number;
}

export type LeadDecision =
  { status: 'completed' } | { status: 'rescheduled'; inMs: number } | { status: 'reached-max-retries' };

/** The status of a lead after a call to it. Numbers are tried in order, each `maxRetries` times. */
export function decideRetry(
  outcome: DialOutcome,
  rules: RetryRules,
  { attempts, dialledId }: Dialled,
): LeadDecision {
  if (isReached(outcome, rules)) return { status: 'completed' };
  const left = attempts.filter(
    (number) => number.attempts < rules.maxRetries && !(outcome.numberInvalid && number.id === dialledId),
  );
  const [next] = left;
  if (!next) return { status: 'reached-max-retries' };
  // The pause applies between calls to one number, not before another number or after an attempt that never rang.
  const pause = next.id === dialledId && !outcome.neverAttempted;
  return { status: 'rescheduled', inMs: pause ? rules.retryInterval * 60_000 : 0 };
}

const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * A campaign's pause after the carrier took no call: 5 s, twice as long after each further refusal, or what the
 * carrier asks for; at most 60 s. Refusals during a pause are of requests sent before it and count as one with its own.
 */
export function pauseAfterRefusal(
  { carrierRefusals, dialAfter }: DialPause,
  now: Date,
  retryAfterMs: number | null,
): DialPause {
  const isPaused = dialAfter !== null && dialAfter > now;
  const backOffMs = isPaused ? 0 : FIRST_PAUSE_MS * 2 ** carrierRefusals;
  const pauseMs = Math.min(Math.max(backOffMs, retryAfterMs ?? 0), LONGEST_PAUSE_MS);
  const until = new Date(now.getTime() + pauseMs);
  return {
    carrierRefusals: isPaused ? carrierRefusals : carrierRefusals + 1,
    dialAfter: isPaused && dialAfter > until ? dialAfter : until,
  };
}

function isReached(outcome: DialOutcome, rules: RetryRules): boolean {
  if (outcome.status !== 'completed') return false;
  if (outcome.answeredBy === 'machine' && rules.retryOnVoicemail) return false;
  const goal = rules.goalCompletionVariable;
  if (!rules.retryOnGoalIncomplete || goal === null) return true;
  const value = Object.hasOwn(outcome.evaluation, goal) ? outcome.evaluation[goal] : null;
  return value !== null && value !== undefined && value !== false && value !== '' && value !== 0;
}
