import { eventKind } from '#src/events/event-kind.js';

export interface CallFact {
  callId: number;
  accountId: number;
}

/** The line is free, whatever became of the call. */
export const CallEnded = eventKind<CallFact>('call.ended');
/** An answered call is wrapped up: its record is final. */
export const CallCompleted = eventKind<CallFact>('call.completed');
/** Nobody answered (busy, no-answer, failed): its record is final. */
export const CallUnanswered = eventKind<CallFact>('call.unanswered');
