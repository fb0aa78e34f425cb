import { every, first, optionalUrl, requiredNumber, seconds, type Form } from './form.js';
import { RestError } from './rest-error.js';

const DEFAULT_RING_SECONDS = 60;
const MAX_RING_SECONDS = 600;
const DEFAULT_LIMIT_SECONDS = 4 * 60 * 60;

/** Where a call's instructions come from: fetched (`event` names the request in the journal), or given. */
export type Instructions =
  | {
      url: string;
      event: 'answer' | 'incoming' | 'action' | 'redirect' | 'fallback';
      params?: Record<string, string>;
    }
  | { twiml: string };

export interface CallOrder {
  to: string;
  from: string;
  instructions: Instructions;
  /** Asked where the instructions cannot be had. */
  fallbackUrl: string | null;
  statusCallback: string | null;
  /** `initiated | ringing | answered | completed`; the last one stands for every way to end. */
  statusEvents: ReadonlySet<string>;
  /** Real seconds, like the limit below. */
  ringSeconds: number;
  limitSeconds: number;
  detectsMachine: boolean;
  machineDetectionCallback: string | null;
}

/** Reads a create-call request; throws the carrier's errors. */
export function callOrder(form: Form): CallOrder {
  const events = every(form, 'StatusCallbackEvent').flatMap((names) => names.split(/\s+/));
  return {
    to: requiredNumber(form, 'To', { missing: 21201, invalid: 21211 }),
    from: requiredNumber(form, 'From', { missing: 21213, invalid: 21212 }),
    instructions: instructionsOf(form, 'answer') ?? missingUrl(),
    fallbackUrl: optionalUrl(form, 'FallbackUrl'),
    statusCallback: optionalUrl(form, 'StatusCallback'),
    statusEvents: new Set(events.length > 0 ? events : ['completed']),
    ringSeconds: Math.min(MAX_RING_SECONDS, seconds(form, 'Timeout', DEFAULT_RING_SECONDS)),
    limitSeconds: seconds(form, 'TimeLimit', DEFAULT_LIMIT_SECONDS),
    detectsMachine: first(form, 'MachineDetection') !== undefined,
    machineDetectionCallback: optionalUrl(form, 'AsyncAmdStatusCallback'),
  };
}

/** `Url` or `Twiml` of a request; null when it has neither. */
export function instructionsOf(form: Form, event: 'answer' | 'redirect'): Instructions | null {
  const twiml = first(form, 'Twiml');
  if (twiml) return { twiml };
  const url = optionalUrl(form, 'Url');
  return url === null ? null : { url, event };
}

function missingUrl(): never {
  throw new RestError(21205);
}
