import type { RestErrorCode } from '../carrier/rest-error.js';
import type { Talk } from './line.js';

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
}
