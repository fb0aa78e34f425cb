import type {
  AnsweredBy,
  CallerAttestation,
  CarrierCallStatus,
  CarrierMessageStatus,
  CallReport,
  IncomingCall,
  MessageReport,
  TransferOutcome,
} from '../carrier-reports.js';
import { formField, integerFormField, requiredFormField, type CarrierForm } from './carrier-form.js';
import { readCalledNumber, readCaller } from './caller-number.js';

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

export const isFinalCallStatus = (status: CarrierCallStatus | undefined): boolean =>
  status !== undefined && FINAL.has(status);

const TRANSFER_OUTCOMES = new Map<string, TransferOutcome>([
  ['in-progress', 'answered'],
  ['answered', 'answered'],
  ['completed', 'answered'],
  ['busy', 'busy'],
  ['no-answer', 'no-answer'],
  ['failed', 'failed'],
  ['canceled', 'canceled'],
]);

/** Of the person's own call; null while it rings. */
export const toTransferOutcome = (status: string | undefined): TransferOutcome | null =>
  TRANSFER_OUTCOMES.get(status ?? '') ?? null;

/** `machine_start`, `machine_end_beep` and similar values, and a fax, are machines. */
export function toAnsweredBy(value: string | null | undefined): AnsweredBy {
  if (value === 'human') return 'human';
  return value?.startsWith('machine') || value === 'fax' ? 'machine' : 'unknown';
}

/** Parses the carrier's forms into the service's types, without side effects. */

export const toCallSid = (form: CarrierForm): string => requiredFormField(form, 'CallSid');

export function toIncomingCall(form: CarrierForm): IncomingCall {
  const to = readCalledNumber(requiredFormField(form, 'To'));
  const attestation = toAttestation(formField(form, 'StirVerstat'));
  return {
    sid: toCallSid(form),
    from: readCaller(formField(form, 'From'), to),
    to,
    ...(attestation && { attestation }),
  };
}

/** `TN-Validation-Passed-A`, also with an addition (`-Diverted`), `TN-Validation-Failed-A`, `No-TN-Validation`. */
export function toAttestation(verstat: string | undefined): CallerAttestation | undefined {
  if (verstat === undefined) return undefined;
  const [, result, level] = /^TN-Validation-(Passed|Failed)(?:-([ABC])\b)?/i.exec(verstat) ?? [];
  if (result?.toLowerCase() === 'failed') return 'failed';
  return (level?.toUpperCase() as 'A' | 'B' | 'C' | undefined) ?? 'none';
}

/** @param token null: of an inbound call */
export function toStatusReport(token: string | null, form: CarrierForm): CallReport {
  const answeredBy = formField(form, 'AnsweredBy');
  const tellsCaller = token === null && formField(form, 'To') !== undefined;
  return {
    token,
    ...(tellsCaller && { incoming: toIncomingCall(form) }),
    sid: toCallSid(form),
    status: toCallStatus(formField(form, 'CallStatus')),
    answeredBy: answeredBy === undefined ? undefined : toAnsweredBy(answeredBy),
    durationSeconds: integerFormField(form, 'CallDuration'),
  };
}

/** Machine detection has a report of its own; its call status is that of its start, so it is left out. */
export const toAnsweredByReport = (token: string, form: CarrierForm): CallReport => ({
  token,
  sid: toCallSid(form),
  answeredBy: toAnsweredBy(formField(form, 'AnsweredBy')),
});

/** @returns null for a recording that has not been finished. */
export function toRecordingReport(token: string, form: CarrierForm): CallReport | null {
  const recordingUrl = formField(form, 'RecordingUrl');
  const finished = (formField(form, 'RecordingStatus') ?? 'completed') === 'completed';
  return finished && recordingUrl !== undefined ? { token, sid: toCallSid(form), recordingUrl } : null;
}

/** @returns null for a status that is not about the delivery. */
export function toMessageReport(token: string, form: CarrierForm): MessageReport | null {
  const status = toMessageStatus(formField(form, 'MessageStatus') ?? formField(form, 'SmsStatus'));
  if (status === undefined) return null;
  const sid = formField(form, 'MessageSid') ?? requiredFormField(form, 'SmsSid');
  return { token, sid, status, errorCode: integerFormField(form, 'ErrorCode') };
}

/** Why the service ended the session; null when it did not. */
export function handoffReason(form: CarrierForm): string | null {
  try {
    const { reason } = JSON.parse(formField(form, 'HandoffData') ?? '{}') as { reason?: unknown };
    return typeof reason === 'string' ? reason : null;
  } catch {
    return null;
  }
}

/**
 * The relay's session is over. With `HandoffData` the service ended it; a call in progress without them lost its
 * socket. A media stream has no such data: each one counts as lost here, and the stored call decides whether it
 * continues.
 */
export const hasLostSocket = (form: CarrierForm): boolean =>
  toCallStatus(formField(form, 'CallStatus')) === 'in-progress' &&
  formField(form, 'HandoffData') === undefined;
