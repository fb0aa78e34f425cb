import type { Journal } from '../journal.js';
import type { ClockSpeed } from '../clock-speed.js';
import type { Callee } from '../callees/callee.js';
import type { CallRecord, CallStatus, CallWebhooks } from './call-record.js';
import type { SimulatedCallee } from './simulated-callee.js';
import type { Webhooks } from './webhooks.js';
import type { TraitBook } from '../traits/trait-book.js';

/** State shared by all calls and messages of the simulated carrier. */
export interface CarrierContext {
  readonly accountSid: string;
  readonly authToken: string;
  /** Base URL of the carrier, without a trailing slash; recordings are below it. */
  readonly publicUrl: string;
  readonly clockSpeed: ClockSpeed;
  readonly journal: Journal;
  readonly webhooks: Webhooks;
  readonly traits: TraitBook;
  /** Aborts when the carrier stops. */
  readonly closing: AbortSignal;
  /** A call requested by another call's document; it has not started yet. */
  dial(record: CallRecord, urls: CallWebhooks): CallHandle;
  /** The state of a call has changed. */
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
  /** Aborts at the end of the call, whatever its cause. */
  readonly over: AbortSignal;
  /** The fields of every request about this call. */
  params(extra?: Record<string, string>): Record<string, string>;
  /** The call was answered. */
  answer(limitSeconds: number): void;
  enter(status: 'ringing' | 'in-progress'): void;
  report(event: 'initiated' | 'ringing'): void;
  finish(status: CallStatus): void;
  /** The end of the call interrupts waits; this is no failure. */
  fail(error: unknown): void;
}
