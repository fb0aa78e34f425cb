import type { RestErrorCode } from '../carrier/rest-error.js';
import type { Talk } from './line.js';
import type { ReportOrder } from './report-order.js';

export type RelayErrorCode = 64101 | 64102 | 64105;

/**
 * When an error ends a session: at its start, in its first speech, or during the callee's speech, a tool or a
 * goodbye.
 */
export type ErrorMoment = 'start' | 'first-speech' | 'callee-speaks' | 'tool-runs' | 'goodbye';

export interface SessionError {
  code: RelayErrorCode;
  moment: ErrorMoment;
  /** In every session, not only in the first one. */
  everySession: boolean;
}

/** Faults between the carrier and the service, independent of the callee. */
export interface LineFaults {
  /** `info` frames: all of them, each `on` without its `off`, or none. */
  infoFrames: 'paired' | 'unpaired' | 'none';
  /** The call's first socket holds, breaks in the assistant's first speech (64105), or never opens (64102). */
  firstSocket: 'holds' | 'breaks' | 'never-opens';
  sessionError: SessionError | null;
}

/**
 * Faults in the download of a recording: it stops without an end, its connection breaks, it has no Content-Length and
 * ignores ranges, it only ignores ranges, it redirects to another path, or to a forbidden address.
 */
export type RecordingFault = 'slow' | 'breaks' | 'unsized' | 'whole' | 'elsewhere' | 'private';

/** The scenario of a number. */
export interface Callee {
  pickup: 'answers' | 'busy' | 'rings-out' | 'rings-on' | 'unroutable';
  /** The result of machine detection. */
  answeredBy: 'human' | 'machine_start' | 'unknown';
  talk: Talk;
  /** The carrier refuses calls to this number. */
  callError: RestErrorCode | null;
  /** The carrier refuses messages to this number. */
  messageError: RestErrorCode | null;
  delivery: 'delivered' | 'undelivered';
  /** Calls and messages are accepted, but the carrier's response never arrives. */
  answerIsLost: boolean;
  faults: LineFaults;
  recordingFault: RecordingFault | null;
  /** Null: the reports arrive in time and in order. */
  reportOrder: ReportOrder | null;
}
