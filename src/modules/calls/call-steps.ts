import type { CarrierCallStatus } from '../telephony/carrier-reports.js';
import { ENDED_STATUS, type CallStatus, type EndedBy } from './call-states.js';

interface Known {
  status: CallStatus;
  endedBy: EndedBy | null;
}

/** The steps that a carrier's word stands for: one that was never reported in between is made up for. */
export function stepsFor(call: Known, said: CarrierCallStatus): CallStatus[] {
  const ended = ENDED_STATUS[call.endedBy ?? 'customer'];
  switch (said) {
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
      // Once answered, a call cannot be unanswered: the line broke.
      return call.status === 'in-progress' ? [ended] : [said];
  }
}
