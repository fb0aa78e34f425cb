import type { AnsweredBy, CarrierCallStatus, CarrierMessageStatus } from './carrier-reports.js';
import type { RelaySettings } from './call-session.js';

/**
 * `rejected`: nothing was placed, because the carrier said no or was never reached. `unknown`: no answer
 * came (time-out, reset, 5xx), so the request may have taken effect: reconcile, never repeat blindly.
 */
export type CarrierFailure = 'rejected' | 'unknown';

export interface CarrierErrorDetails extends ErrorOptions {
  /** The carrier's own error code, e.g. 21211. */
  code?: number | null;
  /** The carrier's message. It may contain phone numbers: shown to the account's owner, never logged. */
  detail?: string | null;
  retryable?: boolean;
  /** How long the carrier asks to wait. */
  retryAfterMs?: number | null;
}

export class CarrierError extends Error {
  readonly code: number | null;
  readonly detail: string | null;
  /** Nothing was placed, and the same request may succeed later (rate limit, carrier unreachable). */
  readonly retryable: boolean;
  /** Null: the carrier did not say. */
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    readonly failure: CarrierFailure,
    { code, detail, retryable, retryAfterMs, cause }: CarrierErrorDetails = {},
  ) {
    super(message, { cause });
    this.name = 'CarrierError';
    this.code = code ?? null;
    this.detail = detail ?? null;
    this.retryable = failure === 'rejected' && retryable === true;
    this.retryAfterMs = retryAfterMs ?? null;
  }
}

export interface PlaceCall {
  from: string;
  to: string;
  /** Names the attempt in every callback URL; unguessable. */
  token: string;
  ringTimeoutSeconds: number;
  /** The carrier's limit, in case the engine's timer fails. */
  maxDurationSeconds: number;
  /** When an answering machine is reported: as soon as it is detected, or when its announcement is over. */
  machineDetection: 'start' | 'message-end';
}

/** A call as the carrier's REST API shows it. `price` is a positive amount of the account's currency. */
export interface CarrierCall {
  sid: string;
  from: string;
  to: string;
  status: CarrierCallStatus;
  answeredBy: AnsweredBy;
  durationSeconds: number | null;
  price: string | null;
  createdAt: Date;
}

export interface SendSms {
  from: string;
  to: string;
  body: string;
  token: string;
}

export interface CarrierMessage {
  sid: string;
  from: string;
  to: string;
  body: string;
  status: CarrierMessageStatus;
  createdAt: Date;
}

/** The telephone network. Every request throws `CarrierError` and nothing else. */
export abstract class Carrier {
  abstract placeCall(request: PlaceCall): Promise<CarrierCall>;
  /** Hangs up. A call that is over already is left as it is. */
  abstract endCall(sid: string): Promise<void>;
  /**
   * The carrier leaves what it does on the call, which closes the session, and asks for instructions as it did when the
   * call was answered. A call that is over already is left as it is.
   *
   * @param token as in `PlaceCall`
   */
  abstract redirectCall(sid: string, token: string): Promise<void>;
  /** @returns null when the carrier knows no such call. */
  abstract fetchCall(sid: string): Promise<CarrierCall | null>;
  /** Calls to one number that were created at or after `since`, newest first. */
  abstract listCalls(to: string, since: Date): Promise<CarrierCall[]>;
  /** @returns null while there is no finished recording. */
  abstract fetchRecordingUrl(callSid: string): Promise<string | null>;
  abstract sendSms(request: SendSms): Promise<CarrierMessage>;
  /** Messages to one number that were created at or after `since`, newest first. */
  abstract listMessages(to: string, since: Date): Promise<CarrierMessage[]>;
  /** Names of the settings that this carrier does not support, as the API spells them. */
  abstract settingsNotApplied(settings: RelaySettings): string[];
  /** Whether a call can be held in this language (BCP 47) with a voice of this provider. */
  abstract speaks(voiceProvider: string, language: string): boolean;
}
