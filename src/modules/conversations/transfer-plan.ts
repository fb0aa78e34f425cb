import type { AssistantView } from '../assistants/assistant-view.js';
import type { CallView } from '../calls/call.view.js';
import type { Transfer } from '#src/modules/calls/states/call-transfers.js';
import type { TransferPlan } from '../telephony/carrier-reports.js';
import type { TransferTarget } from './engine/conversation-settings.js';

/** Attempts in one call. */
const MAX_TRANSFERS = 3;
/** Below the time after which mailboxes answer. */
const RING_SECONDS = 20;

/** The people that the call may be handed over to now; of entries with one name, the first. */
export function transferTargets(
  { transferNumbers }: Pick<AssistantView, 'transferNumbers'>,
  { transfers }: Pick<CallView, 'transfers'>,
): TransferTarget[] {
  if (transfers.length >= MAX_TRANSFERS) return [];
  return transferNumbers
    .filter((entry, index) => transferNumbers.findIndex(({ name }) => name === entry.name) === index)
    .map(({ name, phone_number: phoneNumber, description }) => ({
      name,
      phoneNumber,
      description: description ?? null,
    }));
}

/** Person and customer have what is left of the call's time. */
export function transferPlan(
  call: Pick<CallView, 'token' | 'assistantPhoneNumber' | 'maxDuration' | 'answeredAt' | 'createdAt'>,
  { seq, to }: Transfer,
  now: number,
): TransferPlan {
  return {
    kind: 'transfer',
    token: call.token,
    transfer: seq,
    from: call.assistantPhoneNumber,
    to,
    ringSeconds: RING_SECONDS,
    maxSeconds: Math.max(1, Math.floor(secondsLeft(call, now))),
  };
}

export const secondsLeft = (
  { maxDuration, answeredAt, createdAt }: Pick<CallView, 'maxDuration' | 'answeredAt' | 'createdAt'>,
  now: number,
): number => maxDuration - (now - (answeredAt ?? createdAt).getTime()) / 1000;
