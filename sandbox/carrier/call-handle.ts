import type { CallRecord, CallStatus } from './call-record.js';
import type { CarrierContext } from './carrier-context.js';
import type { PhoneLine } from './phone-line.js';

/** What the instructions of a call may know of it and do to it. */
export interface CallHandle {
  readonly carrier: CarrierContext;
  readonly record: CallRecord;
  readonly line: PhoneLine;
  /** Aborts when the call is over, whoever ended it. */
  readonly over: AbortSignal;
  /** The fields of every request about this call. */
  params(extra?: Record<string, string>): Record<string, string>;
  /** Somebody picked up. */
  answer(limitSeconds: number): void;
  finish(status: CallStatus): void;
}
