import { eventType } from '#src/events/event-type.js';

export interface CallFact {
  callId: number;
  accountId: number;
}

export interface CallEnd extends CallFact {
  /** Absent in events of earlier releases. */
  isAnswered?: boolean;
  /** The carrier took the call. Absent in events of earlier releases. */
  wasPlaced?: boolean;
}

/** The call is over, with any status; its slot is free. */
export const CallEnded = eventType<CallEnd>('call.ended');
/** The wrap-up of an answered call is done: its record is final. */
export const CallCompleted = eventType<CallFact>('call.completed');
/** The call was not answered (busy, no-answer, failed): its record is final. */
export const CallUnanswered = eventType<CallFact>('call.unanswered');
