import type { Callee } from '../callees/callee.js';
import type { CallRecord, CallStatus, CallWebhooks } from './call-record.js';
import type { CarrierContext } from './carrier-context.js';
import type { SimulatedCallee } from './simulated-callee.js';

/** The part of a call that its instructions use. */
export interface CallHandle {
  readonly carrier: CarrierContext;
  readonly record: CallRecord;
  readonly callee: Callee;
  readonly line: SimulatedCallee;
  readonly urls: CallWebhooks;
  /** Aborts when the call is over, whoever ended it. */
  readonly over: AbortSignal;
  /** The fields of every request about this call. */
  params(extra?: Record<string, string>): Record<string, string>;
  /** The call was answered. */
  answer(limitSeconds: number): void;
  finish(status: CallStatus): void;
}
