import type { RestErrorCode } from '../carrier/rest-error.js';
import type { Talk } from './line.js';
import type { ReportOrder } from './report-order.js';

export type RelayErrorCode = 64101 | 64102 | 64105;

/** When an error ends a session: at its start, in its first speech, or as the callee, a tool or a goodbye is heard. */
export type ErrorMoment = 'start' | 'first-speech' | 'callee-speaks' | 'tool-runs' | 'goodbye';

export interface SessionError {
  code: RelayErrorCode;
  moment: ErrorMoment;
  /** In every session, not in the first one only. */
  everySession: boolean;
}

/** What goes wrong between the carrier and the service, whatever the callee does. */
export interface LineFaults {
  /** `info` frames: all of them, each `on` without its `off`, or none. */
  infoFrames: 'paired' | 'unpaired' | 'none';
  /** The call's first socket holds, breaks in the assistant's first speech (64105), or never opens (64102). */
  firstSocket: 'holds' | 'breaks' | 'never-opens';
  sessionError: SessionError | null;
}

/**
 * What goes wrong with the download of a recording: it stops without an end, its connection breaks, its length is not
 * told and ranges are ignored, only ranges are ignored, it is redirected to another path, or to an address that nobody
 * may follow.
 */
export type RecordingFault = 'slow' | 'breaks' | 'unsized' | 'whole' | 'elsewhere' | 'private';

/** The scenario of a number. */
export interface Callee {
  pickup: 'answers' | 'busy' | 'rings-out' | 'unroutable';
  /** The result of machine detection. */
  answeredBy: 'human' | 'machine_start' | 'unknown';
  talk: Talk;
  /** The carrier refuses calls to this number. */
  callError: RestErrorCode | null;
  /** The carrier refuses messages to this number. */
  messageError: RestErrorCode | null;
  delivery: 'delivered' | 'undelivered';
  /** Calls and messages are accepted, but the carrier's answer to the request never arrives. */
  answerIsLost: boolean;
  faults: LineFaults;
  recordingFault: RecordingFault | null;
  /** Null: the reports come in time, one after another. */
  reportOrder: ReportOrder | null;
}
