import type { Readable } from 'node:stream';
import type { BytePart, ByteRange } from '#src/http/byte-range.js';
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
  /** Nothing was placed, and the same request may succeed later (rate limit, wrong token, carrier unreachable). */
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

export const NUMBER_TYPES = ['local', 'mobile', 'toll_free'] as const;
export type NumberType = (typeof NUMBER_TYPES)[number];

export interface NumberSearch {
  /** ISO 3166-1 alpha-2 */
  countryCode: string;
  /** Digits, letters and `*` for any digit; null: any number. */
  contains: string | null;
  /** Most numbers of each type. */
  limit: number;
}

/** A number that the carrier sells. */
export interface AvailableNumber {
  /** E.164 */
  phoneNumber: string;
  /** ISO 3166-1 alpha-2 */
  countryCode: string;
  type: NumberType;
  smsCapable: boolean;
  /** Whose address the law asks for; such a number may be refused. */
  addressRequirements: 'none' | 'any' | 'local' | 'foreign';
}

/** A number of the carrier's account. */
export interface CarrierNumber {
  sid: string;
  /** E.164 */
  phoneNumber: string;
  smsCapable: boolean;
  /** Calls and messages to it, and reports of their end, go to this service's public address. */
  isConnected: boolean;
  createdAt: Date;
}

/** The audio of a recording, or a part of it. Destroying the body ends the transfer. */
export interface RecordingAudio {
  contentType: 'audio/wav' | 'audio/mpeg';
  /** Bytes of the whole; null: the carrier does not say. */
  total: number | null;
  /** What the body is of the whole; null: all of it, also where the carrier ignores ranges. */
  part: BytePart | null;
  body: Readable;
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
  /** Calls that the carrier placed from this one, to people whom it was handed over to. */
  abstract transferCalls(sid: string): Promise<CarrierCall[]>;
  /** Calls to one number that the service placed at or after `since`, newest first. */
  abstract listCalls(to: string, since: Date): Promise<CarrierCall[]>;
  /** @returns null while there is no finished recording. */
  abstract fetchRecordingUrl(callSid: string): Promise<string | null>;
  /**
   * Streams a recording with the carrier's credentials, which go to the carrier's own address only.
   *
   * @param address as the carrier reported it
   * @returns null when the carrier has no such recording; `outside`: none of its bytes is in the range
   */
  abstract fetchRecording(
    address: string,
    options: { range: ByteRange | null; signal: AbortSignal },
  ): Promise<RecordingAudio | { outside: number } | null>;
  /** One that the carrier does not have is left as it is. */
  abstract deleteRecording(address: string): Promise<void>;
  abstract sendSms(request: SendSms): Promise<CarrierMessage>;
  /** Messages to one number that were created at or after `since`, newest first. */
  abstract listMessages(to: string, since: Date): Promise<CarrierMessage[]>;
  /** Numbers for sale that can be called; empty where the carrier sells none in the country. */
  abstract searchNumbers(search: NumberSearch): Promise<AvailableNumber[]>;
  /** Buys a number (E.164), with its calls and messages connected to this service. */
  abstract buyNumber(phoneNumber: string): Promise<CarrierNumber>;
  /** @returns null when the number (E.164) is not one of the account. */
  abstract findNumber(phoneNumber: string): Promise<CarrierNumber | null>;
  /** All numbers of the account. */
  abstract listNumbers(): Promise<CarrierNumber[]>;
  /** Sends calls and messages of a number, and reports of their end, to this service's public address. */
  abstract connectNumber(sid: string): Promise<void>;
  /** Gives a number back. One that the account no longer has is left as it is. */
  abstract releaseNumber(sid: string): Promise<void>;
  /** Names of the settings that this carrier does not support, as the API spells them. */
  abstract settingsNotApplied(settings: RelaySettings): string[];
  /** Whether a call can be held in this language (BCP 47) with a voice of this provider. */
  abstract speaks(voiceProvider: string, language: string): boolean;
}
