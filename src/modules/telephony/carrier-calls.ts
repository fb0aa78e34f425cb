import type { Readable } from 'node:stream';
import type { BytePart, ByteRange } from '#src/http/byte-range.js';
import type { RelaySettings } from './call-session.js';
import type { AnsweredBy, CarrierCallStatus } from './carrier-reports.js';

export interface PlaceCallRequest {
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

/** The audio of a recording, or a part of it. Destroying the body ends the transfer. */
export interface RecordingAudio {
  contentType: 'audio/wav' | 'audio/mpeg';
  /** Bytes of the whole recording; null: not reported. */
  total: number | null;
  /** The part of the recording in the body; null: all of it, also where the carrier ignores ranges. */
  part: BytePart | null;
  body: Readable;
}

/** Calls over the telephone network, and their recordings. Requests throw `CarrierError` and nothing else. */
export abstract class CarrierCalls {
  abstract placeCall(request: PlaceCallRequest): Promise<CarrierCall>;
  /** Hangs up. A call that is over already is left as it is. */
  abstract endCall(sid: string): Promise<void>;
  /**
   * The carrier stops its present instructions, which closes the session, and requests new ones as for an answered
   * call. A call that is over already is left as it is.
   *
   * @param token as in `PlaceCallRequest`
   */
  abstract redirectCall(sid: string, token: string): Promise<void>;
  /** @returns null when the carrier has no such call. */
  abstract fetchCall(sid: string): Promise<CarrierCall | null>;
  /** Calls that the carrier placed from this one, to people whom it was handed over to. */
  abstract transferCalls(sid: string): Promise<CarrierCall[]>;
  /** Calls to one number that the service placed at or after `since`, newest first. */
  abstract listCalls(to: string, since: Date): Promise<CarrierCall[]>;
  /** All calls that the account's users placed at or after `since`, oldest first; not those that were handed over. */
  abstract listPlacedCalls(since: Date): Promise<CarrierCall[]>;
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
  /**
   * Removes the carrier's record of a call that is over, and of those to people whom it was handed over to; not its
   * recordings. One that the carrier does not have is no error.
   *
   * @returns false: for the carrier it is not over yet
   */
  abstract deleteCall(sid: string): Promise<boolean>;
  /** Names of the settings that this carrier does not support, as the API spells them. */
  abstract settingsNotApplied(settings: RelaySettings): string[];
  /** Whether a call can be held in this language (BCP 47) with a voice of this provider. */
  abstract canSpeak(voiceProvider: string, language: string): boolean;
}
