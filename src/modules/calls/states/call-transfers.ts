import type { TransferOutcome } from '#src/modules/telephony/carrier-reports.js';

/** End reason of a transferred call. */
export const TRANSFERRED_REASON = 'transferred';

/** `dialing`: nobody has answered yet. Every other status is final. */
export const TRANSFER_STATUSES = ['dialing', 'answered', 'busy', 'no-answer', 'failed', 'canceled'] as const;
export type TransferStatus = 'dialing' | TransferOutcome;

/** One attempt to transfer the call to a person. */
export interface Transfer {
  /** Of its tool run; identifies the attempt in the carrier's callbacks. */
  seq: number;
  /** Of the entry in the assistant's `transfer_numbers`. */
  name: string;
  /** E.164 */
  to: string;
  status: TransferStatus;
  /** When it began; ISO 8601. */
  at: string;
}

interface WithTransfers {
  transfers: readonly Transfer[];
}

/** The unanswered attempt in progress. */
export const pendingTransfer = ({ transfers }: WithTransfers): Transfer | null =>
  transfers.find(({ status }) => status === 'dialing') ?? null;

/** Whether a person has the call. */
export const wasTransferred = ({ transfers }: WithTransfers): boolean =>
  transfers.some(({ status }) => status === 'answered');

/** Whether the assistant has left the call, permanently or until the transfer fails. */
export const hasAssistantLeft = (call: WithTransfers): boolean =>
  pendingTransfer(call) !== null || wasTransferred(call);

/** Sets the outcome of pending attempts; final statuses stay. */
export const applyTransferOutcome = (
  transfers: readonly Transfer[],
  outcome: TransferOutcome,
  seq: number | null = null,
): Transfer[] =>
  transfers.map((transfer) =>
    transfer.status === 'dialing' && (seq === null || transfer.seq === seq)
      ? { ...transfer, status: outcome }
      : transfer,
  );
