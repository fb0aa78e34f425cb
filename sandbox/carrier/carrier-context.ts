import type { Journal } from '../journal.js';
import type { ClockSpeed } from '../clock-speed.js';
import type { CallRecord, CallWebhooks } from './call-record.js';
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
  /** A call stands differently now. */
  changed(record: CallRecord, urls: CallWebhooks): void;
  ended(sid: string): void;
}
