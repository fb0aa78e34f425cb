import type { CarrierMessageStatus } from '../telephony/carrier-reports.js';

/**
 * `pending`: charged, and nobody knows yet whether the carrier has it. `sent`: the carrier has it. `failed`: the
 * carrier refused it, never got it (both refunded) or could not deliver it.
 */
export const SMS_STATUSES = ['pending', 'sent', 'delivered', 'failed'] as const;

export type SmsStatus = (typeof SMS_STATUSES)[number];

const NEXT: Record<SmsStatus, readonly SmsStatus[]> = {
  pending: ['sent', 'delivered', 'failed'],
  sent: ['delivered', 'failed'],
  delivered: [],
  failed: [],
};

/** A message's next status for a status of the carrier. Late and repeated reports never move it backwards. */
export function statusAfter(current: SmsStatus, report: CarrierMessageStatus): SmsStatus {
  const told: SmsStatus = report === 'queued' ? 'sent' : report;
  return NEXT[current].includes(told) ? told : current;
}

export const statusesBefore = (status: SmsStatus): SmsStatus[] =>
  SMS_STATUSES.filter((former) => NEXT[former].includes(status));
