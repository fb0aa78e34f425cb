import type { AudioLine } from '#src/modules/media/audio-line.js';
import type { CallSession, RelaySettings } from './call-session.js';

export type CarrierCallStatus =
  'queued' | 'ringing' | 'in-progress' | 'completed' | 'busy' | 'no-answer' | 'failed' | 'canceled';

export type CarrierMessageStatus = 'queued' | 'sent' | 'delivered' | 'failed';

export type AnsweredBy = 'human' | 'machine' | 'unknown';

/** Outcome of a transfer. `canceled`: the call ended before anybody answered. */
export type TransferOutcome = 'answered' | 'busy' | 'no-answer' | 'failed' | 'canceled';

/** One callback about a call; fields that it did not carry are undefined. */
export interface CallReport {
  /** Null for an inbound call: its callbacks are those of the number, so find it by `sid`. */
  token: string | null;
  sid: string;
  status?: CarrierCallStatus;
  answeredBy?: AnsweredBy;
  durationSeconds?: number;
  recordingUrl?: string;
  /** Of an inbound call: its request may arrive after its report. */
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
  /** The network's attestation of that number; undefined: none. */
  attestation?: CallerAttestation;
  to: string;
}

/** How the carrier's request for instructions is answered. */
export type CallInstructions =
  | { kind: 'converse'; token: string; settings: RelaySettings }
  /** The audio of the call goes over a socket; `notices` are spoken by the carrier before. */
  | { kind: 'stream'; token: string; notices: CarrierSpeech | null; record: boolean }
  /** Refused; the caller hears a busy tone with `busy`, else that the number is not in service. */
  | { kind: 'reject'; busy: boolean }
  | TransferInstructions
  /**
   * With a text that is spoken before. `confirm`: the token of a call whose carrier reports when all of it was spoken.
   */
  | { kind: 'hangup'; say?: CarrierSpeech; confirm?: string };

/**
 * A person is called and gets the call; the carrier requests instructions when that person has hung up or does not
 * answer.
 */
export interface TransferInstructions {
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

/** How a call continues after its session broke. */
export interface SessionResumption {
  /** The carrier refused the voice: the language's own speaks from now on. */
  defaultVoice: boolean;
  /** Sessions broke too often: the call ends with a sentence. */
  isOver: boolean;
}

/** Implemented by the module that owns calls; telephony passes on the carrier's requests and reports. */
export interface CarrierCallHandler {
  /**
   * The carrier requests instructions for a call in progress: it was answered, or (`resumption`) its session broke and
   * the conversation can continue.
   */
  planAnsweredCall(
    token: string,
    sid: string,
    resumption: SessionResumption | null,
  ): Promise<CallInstructions>;
  planIncomingCall(call: IncomingCall): Promise<CallInstructions>;
  applyReport(report: CallReport): Promise<void>;
  /** Whether to hang up on a call with a machine whose time is over; false: it proved to be a person. */
  shouldHangUp(token: string): Promise<boolean>;
  /**
   * The service ended the session, for the reason that the carrier was handed then and now returns.
   *
   * @param defaultVoice as in `Resumption`
   */
  planAfterSession(token: string, reason: string, defaultVoice: boolean): Promise<CallInstructions>;
  /** The text of an answer plan with `confirm` was spoken to its end. */
  onMessageSpoken(token: string): Promise<void>;
  /**
   * Runs the conversation; resolves when it is over. One at a time per token and process.
   *
   * @param documentAt when the answer was given that the session follows, in milliseconds since the epoch; 0: the first
   */
  runConversation(token: string, session: CallSession, documentAt: number): Promise<void>;
  /** The same over the call's audio. */
  runAudioConversation(token: string, line: AudioLine, documentAt: number): Promise<void>;
  /** Whether a socket with this token may be opened. */
  expectsSocket(token: string): Promise<boolean>;
}

/** Implemented by the module that transfers calls to people. */
export interface CarrierTransferHandler {
  /** The person answered, or the attempt failed. */
  applyTransferReport(token: string, transfer: number, outcome: TransferOutcome): Promise<void>;
  /**
   * The person has hung up or did not answer: the carrier requests instructions for the call.
   *
   * @param outcome null: not reported by the carrier
   * @param resumption how the conversation continues; null: the call is over, too
   */
  planAfterTransfer(
    token: string,
    transfer: number,
    outcome: TransferOutcome | null,
    resumption: SessionResumption | null,
  ): Promise<CallInstructions>;
}

export interface CarrierMessageHandler {
  applyReport(report: MessageReport): Promise<void>;
}
