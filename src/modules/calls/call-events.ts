import { defineEvent } from '#src/events/event-type.js';

export interface CallEventPayload {
  callId: number;
  accountId: number;
}

export interface CallEndedPayload extends CallEventPayload {
  /** Absent in events of earlier releases. */
  isAnswered?: boolean;
  /** The carrier accepted the call. Absent in events of earlier releases. */
  wasPlaced?: boolean;
}

/** The call is over, with any status; its slot is free. */
export const CallEnded = defineEvent<CallEndedPayload>('call.ended');
/** The wrap-up of an answered call is done: its record is final. */
export const CallCompleted = defineEvent<CallEventPayload>('call.completed');
/** The call was not answered (busy, no-answer, failed): its record is final. */
export const CallUnanswered = defineEvent<CallEventPayload>('call.unanswered');
