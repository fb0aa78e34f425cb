import type { Journal } from '../journal.js';
import type { ClockSpeed } from '../clock-speed.js';
import type { Callee } from '../callees/callee.js';
import type { CallRecord, CallStatus, CallWebhooks } from './call-record.js';
import type { SimulatedCallee } from './simulated-callee.js';
import type { Webhooks } from './webhooks.js';

/** What every call and message of the simulated carrier shares. */
export interface CarrierContext {
  readonly accountSid: string;
  readonly authToken: string;
  /** Where the carrier itself is reached, without a slash at the end; recordings stand there. */
  readonly publicUrl: string;
  readonly clockSpeed: ClockSpeed;
  readonly journal: Journal;
  readonly webhooks: Webhooks;
  /** Aborts when the carrier stops. */
  readonly closing: AbortSignal;
  /** A call that another one's document asks for; it is not begun yet. */
  dial(record: CallRecord, urls: CallWebhooks): CallHandle;
  /** A call stands differently now. */
  changed(record: CallRecord, urls: CallWebhooks): void;
  ended(sid: string): void;
}

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
  enter(status: 'ringing' | 'in-progress'): void;
  report(event: 'initiated' | 'ringing'): void;
  finish(status: CallStatus): void;
  /** A wait that the end of the call cut short is no failure. */
  fail(error: unknown): void;
}
