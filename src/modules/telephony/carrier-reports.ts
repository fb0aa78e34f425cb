import type { CallSession, RelaySettings } from './call-session.js';

export type CarrierCallStatus =
  'queued' | 'ringing' | 'in-progress' | 'completed' | 'busy' | 'no-answer' | 'failed' | 'canceled';

export type CarrierMessageStatus = 'queued' | 'sent' | 'delivered' | 'failed';

export type AnsweredBy = 'human' | 'machine' | 'unknown';

/** One callback about a call; fields that it did not carry are undefined. */
export interface CallReport {
  /** Null for a call that came in: its callbacks are those of the number, so find it by `sid`. */
  token: string | null;
  sid: string;
  status?: CarrierCallStatus;
  answeredBy?: AnsweredBy;
  durationSeconds?: number;
  recordingUrl?: string;
}

export interface MessageReport {
  token: string;
  sid: string;
  status: CarrierMessageStatus;
  errorCode?: number;
}

export interface IncomingCall {
  sid: string;
  from: string;
  to: string;
}

/** How the carrier's request for instructions is answered. */
export type AnswerPlan =
  | { kind: 'converse'; token: string; settings: RelaySettings }
  /** Refused; the caller hears a busy tone with `busy`, else that the number is not in service. */
  | { kind: 'reject'; busy: boolean }
  | { kind: 'hangup' };

/** Implemented by the module that owns calls; telephony passes on the carrier's requests and reports. */
export interface CallHandler {
  /**
   * The carrier asks what to do with a call that is in progress: it was answered, or (`resumed`) its socket
   * broke and the conversation can go on.
   */
  answer(token: string, sid: string, resumed: boolean): Promise<AnswerPlan>;
  incoming(call: IncomingCall): Promise<AnswerPlan>;
  report(report: CallReport): Promise<void>;
  /** Runs the conversation; resolves when it is over. One at a time per token and process. */
  converse(token: string, session: CallSession): Promise<void>;
  /** Whether a socket with this token may be opened. */
  expects(token: string): Promise<boolean>;
}

export interface MessageHandler {
  report(report: MessageReport): Promise<void>;
}
