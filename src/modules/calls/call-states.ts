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

/** Where a call can go from each state; what is not listed is late or repeated and changes nothing. */
const NEXT: Record<CallStatus, readonly CallStatus[]> = {
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

export const mayMove = (from: CallStatus, to: CallStatus): boolean => NEXT[from].includes(to);

export const UNANSWERED: readonly CallStatus[] = ['busy', 'no-answer', 'failed'];

export const ENDED_STATUS: Record<EndedBy, CallStatus> = {
  customer: 'ended_by_customer',
  assistant: 'ended_by_assistant',
  system: 'ended',
};
