import { newSid } from './sids.js';

export type CallStatus =
  'queued' | 'ringing' | 'in-progress' | 'completed' | 'busy' | 'no-answer' | 'failed' | 'canceled';

export type CallDirection = 'inbound' | 'outbound-api' | 'outbound-dial';

export interface CallRecord {
  readonly sid: string;
  readonly from: string;
  readonly to: string;
  readonly direction: CallDirection;
  /** The call whose document requested this one. */
  readonly parentCallSid: string | null;
  readonly createdAt: Date;
  status: CallStatus;
  updatedAt: Date;
  /** Time of the dial; after the answer, time of the answer. */
  startedAt: Date | null;
  answered: boolean;
  endedAt: Date | null;
  answeredBy: string | null;
  readonly recordings: RecordingRecord[];
}

export interface RecordingRecord {
  readonly sid: string;
  readonly callSid: string;
  readonly startedAt: Date;
  endedAt: Date | null;
}

/** Status callback URL, and fallback URL of the instructions. */
export interface CallWebhooks {
  url: string | null;
  events: ReadonlySet<string>;
  fallbackUrl: string | null;
}

export function newCall(
  direction: CallDirection,
  from: string,
  to: string,
  parentCallSid: string | null = null,
): CallRecord {
  const now = new Date();
  return {
    sid: newSid('CA'),
    from,
    to,
    direction,
    parentCallSid,
    createdAt: now,
    status: direction === 'inbound' ? 'ringing' : 'queued',
    updatedAt: now,
    startedAt: null,
    answered: false,
    endedAt: null,
    answeredBy: null,
    recordings: [],
  };
}

/** Whole seconds, rounded up; 0 for an unanswered call. */
export function callSeconds(call: CallRecord): number {
  if (!call.answered || call.startedAt === null || call.endedAt === null) return 0;
  return Math.max(1, Math.ceil((call.endedAt.getTime() - call.startedAt.getTime()) / 1000));
}

export function recordingSeconds(recording: RecordingRecord): number {
  if (recording.endedAt === null) return 0;
  return Math.max(1, Math.ceil((recording.endedAt.getTime() - recording.startedAt.getTime()) / 1000));
}
