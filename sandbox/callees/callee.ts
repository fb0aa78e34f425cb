import type { RestErrorCode } from '../carrier/rest-error.js';
import type { Talk } from './line.js';

/** Who stands behind a number. */
export interface Callee {
  pickup: 'answers' | 'busy' | 'rings-out' | 'unroutable';
  /** What machine detection takes this one for. */
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
