import type { TransferOutcome } from '#src/modules/telephony/carrier-reports.js';

/** End reason of a call that a person took over. */
export const TRANSFERRED = 'transferred';

/** `dialing`: nobody has answered yet. Every other status is final. */
export const TRANSFER_STATUSES = ['dialing', 'answered', 'busy', 'no-answer', 'failed', 'canceled'] as const;
export type TransferStatus = 'dialing' | TransferOutcome;

/** One attempt to hand the call over to a person. */
export interface Transfer {
  /** Of the tool run that asked for it; names the attempt in the carrier's callbacks. */
  seq: number;
  /** Of the entry in the assistant's `transfer_numbers`. */
  name: string;
  /** E.164 */
  to: string;
  status: TransferStatus;
  /** When it began; ISO 8601. */
  at: string;
}

interface Transferred {
  transfers: readonly Transfer[];
}

/** The attempt that nobody has answered yet. */
export const pendingTransfer = ({ transfers }: Transferred): Transfer | null =>
  transfers.find(({ status }) => status === 'dialing') ?? null;

/** Whether a person has the call. */
export const wasTransferred = ({ transfers }: Transferred): boolean =>
  transfers.some(({ status }) => status === 'answered');

/** Whether the assistant has left the call, for good or until nobody answers. */
export const isHandedOver = (call: Transferred): boolean =>
  pendingTransfer(call) !== null || wasTransferred(call);

/** A status that is final does not change any more. */
export const withOutcome = (
  transfers: readonly Transfer[],
  outcome: TransferOutcome,
  seq: number | null = null,
): Transfer[] =>
  transfers.map((transfer) =>
    transfer.status === 'dialing' && (seq === null || transfer.seq === seq)
      ? { ...transfer, status: outcome }
      : transfer,
  );
