import { every, first, optionalUrl, requiredNumber, seconds, type Form } from './form.js';
import { RestError } from './rest-error.js';

const DEFAULT_RING_SECONDS = 60;
const MAX_RING_SECONDS = 600;
const DEFAULT_LIMIT_SECONDS = 4 * 60 * 60;

/** Source of a call's instructions: fetched (`event` names the request in the journal), or given. */
export type Instructions =
  | {
      url: string;
      event: 'answer' | 'incoming' | 'action' | 'redirect' | 'fallback' | 'dial-action';
      params?: Record<string, string>;
    }
  | { twiml: string };

const MACHINE_DETECTION = ['Enable', 'DetectMessageEnd'] as const;
type MachineDetection = (typeof MACHINE_DETECTION)[number];

/** Maximum number of characters of a document in a request. */
const MAX_TWIML = 4_000;
const DEFAULT_DETECTION_SECONDS = 30;
const MAX_DETECTION_SECONDS = 59;
const MIN_DETECTION_SECONDS = 3;

export interface CallOrder {
  to: string;
  from: string;
  instructions: Instructions;
  /** Requested when the instructions cannot be fetched. */
  fallbackUrl: string | null;
  statusCallback: string | null;
  /** `initiated | ringing | answered | completed`; the last one covers every final status. */
  statusEvents: ReadonlySet<string>;
  /** Real seconds, like the limit below. */
  ringSeconds: number;
  limitSeconds: number;
  /** `DetectMessageEnd` reports a machine at the end of its announcement; null: no detection. */
  machineDetection: MachineDetection | null;
  /** Real seconds until detection reports `unknown`. */
  detectionSeconds: number;
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
    machineDetection: machineDetectionOf(form),
    detectionSeconds: detectionSecondsOf(form),
    machineDetectionCallback: optionalUrl(form, 'AsyncAmdStatusCallback'),
  };
}

/** `Url` or `Twiml` of a request; null when it has neither. */
export function instructionsOf(form: Form, event: 'answer' | 'redirect'): Instructions | null {
  const twiml = first(form, 'Twiml');
  if (twiml !== undefined && twiml.length > MAX_TWIML) throw new RestError(20001);
  if (twiml) return { twiml };
  const url = optionalUrl(form, 'Url');
  return url === null ? null : { url, event };
}

function machineDetectionOf(form: Form): MachineDetection | null {
  const wanted = first(form, 'MachineDetection');
  const known = MACHINE_DETECTION.find((one) => one === wanted);
  if (wanted !== undefined && known === undefined) throw new RestError(20001);
  return known ?? null;
}

function detectionSecondsOf(form: Form): number {
  const wanted = seconds(form, 'MachineDetectionTimeout', DEFAULT_DETECTION_SECONDS);
  if (wanted < MIN_DETECTION_SECONDS || wanted > MAX_DETECTION_SECONDS) throw new RestError(20001);
  return wanted;
}

function missingUrl(): never {
  throw new RestError(21205);
}
