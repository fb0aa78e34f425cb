import { newSid } from './sids.js';

export type CallStatus =
  'queued' | 'ringing' | 'in-progress' | 'completed' | 'busy' | 'no-answer' | 'failed' | 'canceled';

export type CallDirection = 'inbound' | 'outbound-api' | 'outbound-dial';

export interface CallRecord {
  readonly sid: string;
  readonly from: string;
  readonly to: string;
  readonly direction: CallDirection;
  /** The call whose document asked for this one. */
  readonly parentCallSid: string | null;
  readonly createdAt: Date;
  status: CallStatus;
  updatedAt: Date;
  /** When it was dialled, later when it was answered. */
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

/** Where the call's progress is reported, and where instructions come from when theirs fail. */
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

/** Whole seconds, started ones counted; 0 for a call that nobody answered. */
export function callSeconds(call: CallRecord): number {
  if (!call.answered || call.startedAt === null || call.endedAt === null) return 0;
  return Math.max(1, Math.ceil((call.endedAt.getTime() - call.startedAt.getTime()) / 1000));
}

export function recordingSeconds(recording: RecordingRecord): number {
  if (recording.endedAt === null) return 0;
  return Math.max(1, Math.ceil((recording.endedAt.getTime() - recording.startedAt.getTime()) / 1000));
}
