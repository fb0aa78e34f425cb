import type { AssistantView } from '../assistants/assistant-view.js';
import type { CallView } from '../calls/call.view.js';
import type { Transfer } from '#src/modules/calls/states/call-transfers.js';
import type { TransferInstructions } from '../telephony/carrier-reports.js';
import type { TransferTarget } from './engine/conversation-settings.js';

/** Transfer attempts in one call. */
const MAX_TRANSFERS = 3;
/** Shorter than the ring time before a mailbox answers. */
const RING_SECONDS = 20;

/** The available transfer targets; of entries with the same name, the first. */
export function availableTransferTargets(
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

/** The transfer may last for the rest of the call's maximum duration. */
export function toTransferInstructions(
  call: Pick<CallView, 'token' | 'assistantPhoneNumber' | 'maxDuration' | 'answeredAt' | 'createdAt'>,
  { seq, to }: Transfer,
  now: number,
): TransferInstructions {
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
