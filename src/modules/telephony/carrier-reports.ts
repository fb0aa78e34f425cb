import type { AudioLine } from '#src/modules/media/audio-line.js';
import type { CallSession, RelaySettings } from './call-session.js';

export type CarrierCallStatus =
  'queued' | 'ringing' | 'in-progress' | 'completed' | 'busy' | 'no-answer' | 'failed' | 'canceled';

export type CarrierMessageStatus = 'queued' | 'sent' | 'delivered' | 'failed';

export type AnsweredBy = 'human' | 'machine' | 'unknown';

/** What became of the person that a call is handed over to. `canceled`: the call ended before anybody answered. */
export type TransferOutcome = 'answered' | 'busy' | 'no-answer' | 'failed' | 'canceled';

/** One callback about a call; fields that it did not carry are undefined. */
export interface CallReport {
  /** Null for a call that came in: its callbacks are those of the number, so find it by `sid`. */
  token: string | null;
  sid: string;
  status?: CarrierCallStatus;
  answeredBy?: AnsweredBy;
  durationSeconds?: number;
  recordingUrl?: string;
  /** Of a call that came in: its request may arrive after its report. */
  incoming?: IncomingCall;
}

export interface MessageReport {
  token: string;
  sid: string;
  status: CarrierMessageStatus;
  errorCode?: number;
}

/**
 * STIR/SHAKEN: the network that the call came from knows the caller and the right to the number (`A`), the caller alone
 * (`B`) or neither (`C`), or its signature is wrong.
 */
export type CallerAttestation = 'A' | 'B' | 'C' | 'failed' | 'none';

export interface IncomingCall {
  sid: string;
  /** Null: the caller withholds the number. */
  from: string | null;
  /** What the network says of that number; undefined: nothing. */
  attestation?: CallerAttestation;
  to: string;
}

/** How the carrier's request for instructions is answered. */
export type AnswerPlan =
  | { kind: 'converse'; token: string; settings: RelaySettings }
  /** The audio of the call goes over a socket; `notices` are spoken by the carrier before. */
  | { kind: 'stream'; token: string; notices: CarrierSpeech | null; record: boolean }
  /** Refused; the caller hears a busy tone with `busy`, else that the number is not in service. */
  | { kind: 'reject'; busy: boolean }
  | TransferPlan
  /**
   * With a text that is spoken before. `confirm`: the token of a call whose carrier reports when all of it was spoken.
   */
  | { kind: 'hangup'; say?: CarrierSpeech; confirm?: string };

/** A person is called and gets the call; the carrier asks how it goes on when that person is gone, or cannot be had. */
export interface TransferPlan {
  kind: 'transfer';
  token: string;
  /** Names the attempt in the carrier's callbacks. */
  transfer: number;
  /** E.164, both. `from`: the number of the account that the call is held with. */
  from: string;
  to: string;
  ringSeconds: number;
  /** How long the person may have the call. */
  maxSeconds: number;
}

export interface CarrierSpeech {
  text: string;
  /** BCP 47 */
  language: string;
  /** The language's default where the carrier does not have it outside of sessions, and without one. */
  voice?: { provider: string; voice: string };
}

/** How a call goes on whose session broke. */
export interface Resumption {
  /** The carrier refused the voice: the language's own speaks from now on. */
  defaultVoice: boolean;
  /** Sessions broke too often: the call ends with a sentence. */
  isOver: boolean;
}

/** Implemented by the module that owns calls; telephony passes on the carrier's requests and reports. */
export interface CarrierCallHandler {
  /**
   * The carrier asks what to do with a call that is in progress: it was answered, or (`resumption`) its session
   * broke and the conversation can go on.
   */
  planAnswer(token: string, sid: string, resumption: Resumption | null): Promise<AnswerPlan>;
  planIncomingCall(call: IncomingCall): Promise<AnswerPlan>;
  applyReport(report: CallReport): Promise<void>;
  /** Whether to hang up on a call with a machine whose time is over; false: it proved to be a person. */
  shouldHangUp(token: string): Promise<boolean>;
  /**
   * The service ended the session, for the reason that the carrier was handed then and now returns.
   *
   * @param defaultVoice as in `Resumption`
   */
  planAfterSession(token: string, reason: string, defaultVoice: boolean): Promise<AnswerPlan>;
  /** The text of an answer plan with `confirm` was spoken to its end. */
  onTextSpoken(token: string): Promise<void>;
  /**
   * Runs the conversation; resolves when it is over. One at a time per token and process.
   *
   * @param documentAt when the answer was given that the session follows, in milliseconds since the epoch; 0: the first
   */
  converse(token: string, session: CallSession, documentAt: number): Promise<void>;
  /** The same over the call's audio. */
  converseOverAudio(token: string, line: AudioLine, documentAt: number): Promise<void>;
  /** Whether a socket with this token may be opened. */
  expectsSocket(token: string): Promise<boolean>;
}

/** Implemented by the module that has calls handed over to people. */
export interface CarrierTransferHandler {
  /** The person answered, or cannot be had. */
  transferReported(token: string, transfer: number, outcome: TransferOutcome): Promise<void>;
  /**
   * The person is gone, or cannot be had: the carrier asks what to do with the call.
   *
   * @param outcome null: the carrier does not say
   * @param resumption how the conversation goes on; null: the call is over, too
   */
  transferOver(
    token: string,
    transfer: number,
    outcome: TransferOutcome | null,
    resumption: Resumption | null,
  ): Promise<AnswerPlan>;
}

export interface CarrierMessageHandler {
  applyReport(report: MessageReport): Promise<void>;
}
