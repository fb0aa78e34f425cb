import type { AnsweredBy, CarrierCallStatus, CarrierMessageStatus } from '../carrier-reports.js';

const CALL_STATUSES = new Map<string, CarrierCallStatus>([
  ['queued', 'queued'],
  ['initiated', 'queued'],
  ['ringing', 'ringing'],
  ['in-progress', 'in-progress'],
  ['answered', 'in-progress'],
  ['completed', 'completed'],
  ['busy', 'busy'],
  ['no-answer', 'no-answer'],
  ['failed', 'failed'],
  ['canceled', 'canceled'],
]);

const MESSAGE_STATUSES = new Map<string, CarrierMessageStatus>([
  ['accepted', 'queued'],
  ['scheduled', 'queued'],
  ['queued', 'queued'],
  ['sending', 'queued'],
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'delivered'],
  ['undelivered', 'failed'],
  ['failed', 'failed'],
  ['canceled', 'failed'],
]);

const FINAL: ReadonlySet<CarrierCallStatus> = new Set([
  'completed',
  'busy',
  'no-answer',
  'failed',
  'canceled',
]);

export const toCallStatus = (status: string | undefined): CarrierCallStatus | undefined =>
  CALL_STATUSES.get(status ?? '');

export const toMessageStatus = (status: string | undefined): CarrierMessageStatus | undefined =>
  MESSAGE_STATUSES.get(status ?? '');

export const isFinal = (status: CarrierCallStatus | undefined): boolean =>
  status !== undefined && FINAL.has(status);

/** `machine_start`, `machine_end_beep` and their kin, and a fax, are machines. */
export function toAnsweredBy(value: string | null | undefined): AnsweredBy {
  if (value === 'human') return 'human';
  return value?.startsWith('machine') || value === 'fax' ? 'machine' : 'unknown';
}
