import { MAX_URL_LENGTH } from '#src/common/outbound-http/check-url.js';
import type { AnsweredBy, CarrierCallStatus } from '#src/modules/telephony/carrier-reports.js';
import { LIMIT_GRACE_SECONDS } from '#src/modules/accounts/call-budget.js';

export const CALL_STATUSES = [
  'initiated',
  'ringing',
  'busy',
  'in-progress',
  'ended',
  'completed',
  'ended_by_customer',
  'ended_by_assistant',
  'no-answer',
  'failed',
] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

export const CALL_TYPES = ['inbound', 'outbound', 'web'] as const;
export type CallType = (typeof CALL_TYPES)[number];

export const ENDED_BY = ['customer', 'assistant', 'system'] as const;
export type EndedBy = (typeof ENDED_BY)[number];

/** Allowed transitions by state; other reports are late or repeated and change nothing. */
const TRANSITIONS: Record<CallStatus, readonly CallStatus[]> = {
  initiated: ['ringing', 'in-progress', 'busy', 'no-answer', 'failed'],
  ringing: ['in-progress', 'busy', 'no-answer', 'failed'],
  'in-progress': ['ended_by_customer', 'ended_by_assistant', 'ended'],
  ended_by_customer: ['completed'],
  ended_by_assistant: ['completed'],
  ended: ['completed'],
  completed: [],
  busy: [],
  'no-answer': [],
  failed: [],
};

export const isAllowedTransition = (from: CallStatus, to: CallStatus): boolean =>
  TRANSITIONS[from].includes(to);

export const UNANSWERED_STATUSES: readonly CallStatus[] = ['busy', 'no-answer', 'failed'];

/** Statuses of calls with a final record. */
export const FINAL_STATUSES: readonly CallStatus[] = ['completed', ...UNANSWERED_STATUSES];

export const ENDED_STATUS: Record<EndedBy, CallStatus> = {
  customer: 'ended_by_customer',
  assistant: 'ended_by_assistant',
  system: 'ended',
};

const ENDED_STATUSES: readonly CallStatus[] = [...Object.values(ENDED_STATUS), ...FINAL_STATUSES];
/** Statuses of calls that ring or run. */
export const RUNNING_STATUSES = CALL_STATUSES.filter((status) => !ENDED_STATUSES.includes(status));

interface KnownState {
  status: CallStatus;
  endedBy: EndedBy | null;
}

/** The transitions implied by a report, including earlier unreported ones. */
export function impliedTransitions(call: KnownState, reported: CarrierCallStatus): CallStatus[] {
  const ended = ENDED_STATUS[call.endedBy ?? 'customer'];
  switch (reported) {
    case 'queued':
      return [];
    case 'ringing':
      return ['ringing'];
    case 'in-progress':
      return ['in-progress'];
    case 'completed':
      return ['in-progress', ended];
    case 'canceled':
      return call.status === 'in-progress' ? [ended] : ['no-answer'];
    case 'busy':
    case 'no-answer':
    case 'failed':
      // An answered call cannot become unanswered: the connection was lost.
      return call.status === 'in-progress' ? [ended] : [reported];
  }
}

/**
 * Whether a report of who answered counts. Not that of a call that is over: detection often finishes only then, and
 * reports a person who hung up as a machine; nor that of one with call screening, which is reported as a machine.
 */
export const maySetAnsweredBy = (
  { endedAt, screenedAt }: { endedAt: Date | null; screenedAt: Date | null },
  reported: AnsweredBy | undefined,
): reported is 'human' | 'machine' =>
  reported !== undefined && reported !== 'unknown' && endedAt === null && screenedAt === null;

/**
 * Seconds from answer to end, which are charged. The carrier's figure counts up to the time since the answer and up
 * to the call's limit; without a figure, the time since the answer counts. 0 for a call that was not answered.
 */
export function callDuration(
  { answeredAt, maxDuration }: { answeredAt: Date | null; maxDuration: number },
  endedAt: Date,
  reportedSeconds: number | undefined,
): number {
  if (answeredAt === null) return 0;
  const passedSeconds = Math.max(0, Math.ceil((endedAt.getTime() - answeredAt.getTime()) / 1000));
  return Math.min(reportedSeconds ?? passedSeconds, passedSeconds, maxDuration + LIMIT_GRACE_SECONDS);
}

/**
 * Answer time of a call with an unreported answer: its end minus the carrier's duration, which counts from the answer.
 * Null for an unanswered call.
 */
export function estimateAnsweredAt(
  { answeredAt, createdAt }: { answeredAt: Date | null; createdAt: Date },
  endedAt: Date,
  reportedSeconds = 0,
): Date | null {
  if (answeredAt === null) return null;
  return new Date(Math.max(createdAt.getTime(), endedAt.getTime() - reportedSeconds * 1000));
}

/** Whether this may be stored as a recording's URL: users and webhooks receive it. */
export const isRecordingUrl = (text: string): boolean =>
  text.length <= MAX_URL_LENGTH && /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text);
