import type { CallBudget } from '../accounts/call-budget.js';
import type { OpenCall } from '../calls/call.view.js';
import type { AssistantView } from '../assistants/assistant-view.js';

const SLOT_GRACE_SECONDS = 60;
/** By then a call has been answered or has ended, and the carrier has said so. */
const CHECK_GRACE_SECONDS = 5;

interface OutboundCall {
  assistant: AssistantView;
  campaign: { id: number; name: string } | null;
  leadId: number | null;
  from: string;
  to: string;
  variables: Record<string, unknown>;
  budget: CallBudget;
  requestId: string | null;
  ringTimeoutSeconds: number;
}

/** The record of a call that is about to be placed: the assistant's settings as they are now. */
export function outboundCall({
  assistant,
  from,
  to,
  budget,
  ringTimeoutSeconds,
  ...call
}: OutboundCall): OpenCall {
  return {
    ...call,
    accountId: assistant.accountId,
    assistant: { id: assistant.id, name: assistant.name },
    type: 'outbound',
    carrierSid: null,
    assistantPhoneNumber: from,
    clientPhoneNumber: to,
    variables: { ...assistant.variables, ...call.variables },
    pricePerMinuteMicros: budget.pricePerMinuteMicros,
    holdMicros: budget.holdMicros,
    maxDuration: budget.maxDurationSeconds,
    evaluationPlan: assistant.postCallEvaluation
      ? { model: assistant.llmModel, schema: assistant.postCallSchema }
      : null,
    checkAt: new Date(Date.now() + (ringTimeoutSeconds + CHECK_GRACE_SECONDS) * 1000),
  };
}

/** A slot is a lease: it frees itself even if nobody ever hears of the call's end. */
export const slotSeconds = (ringTimeoutSeconds: number, maxDurationSeconds: number): number =>
  ringTimeoutSeconds + maxDurationSeconds + SLOT_GRACE_SECONDS;
