import { eventType } from '#src/events/event-type.js';

export interface CallFact {
  callId: number;
  accountId: number;
}

/** The line is free, whatever became of the call. */
export const CallEnded = eventType<CallFact>('call.ended');
/** An answered call is wrapped up: its record is final. */
export const CallCompleted = eventType<CallFact>('call.completed');
/** Nobody answered (busy, no-answer, failed): its record is final. */
export const CallUnanswered = eventType<CallFact>('call.unanswered');
