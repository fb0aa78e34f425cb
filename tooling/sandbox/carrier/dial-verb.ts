import { calleeOf } from '../callees/callees.js';
import { bridge } from './bridge.js';
import type { CallHandle } from './carrier-context.js';
import { callSeconds, newCall, type CallRecord } from './call-record.js';
import { pickedUp } from './ringing.js';
import { childrenNamed, type Verb } from './twiml.js';

const DEFAULT_RING_SECONDS = 30;
const MAX_RING_SECONDS = 600;
const DEFAULT_LIMIT_SECONDS = 4 * 60 * 60;
const NUMBER = /^\+[1-9]\d{6,14}$/;

/** Milliseconds of simulated time, see ClockSpeed. */
const ROUTE_MS = 400;

/** The carrier's codes for a caller ID of another account, and for a number that cannot be called. */
const INVALID_CALLER = 13214;
const INVALID_NUMBER = 13224;

type DialFields = Record<string, string>;

/**
 * `<Dial>` with one `<Number>`: places a call and connects both until one of them hangs up.
 *
 * @returns the fields for the action URL; rejects when the signal aborts, with the other call ended
 */
export async function dial(call: CallHandle, verb: Verb, signal: AbortSignal): Promise<DialFields> {
  const noun = childrenNamed(verb, 'Number')[0];
  const to = (noun ?? verb).text;
  const { from, to: called } = call.record;
  const callerId = verb.attributes['callerId'] ?? from;
  if (callerId !== from && callerId !== called)
    return refused(call, INVALID_CALLER, 'Invalid callerId value');
  if (!NUMBER.test(to) || calleeOf(to).callError !== null)
    return refused(call, INVALID_NUMBER, 'Invalid phone number');
  const child = call.carrier.dial(newCall('outbound-dial', callerId, to, call.record.sid), {
    url: noun?.attributes['statusCallback'] ?? null,
    events: new Set((noun?.attributes['statusCallbackEvent'] ?? 'completed').split(/\s+/)),
    fallbackUrl: null,
  });
  const leave = () => child.finish(child.record.answered ? 'completed' : 'canceled');
  signal.addEventListener('abort', leave, { once: true });
  try {
    await connect(call, child, verb).catch((error: unknown) => child.fail(error));
  } finally {
    signal.removeEventListener('abort', leave);
  }
  if (signal.aborted) tellOfHangUp(call, verb, fieldsOf(child.record));
  signal.throwIfAborted();
  return fieldsOf(child.record);
}

async function connect(call: CallHandle, child: CallHandle, verb: Verb): Promise<void> {
  const { clockSpeed } = call.carrier;
  child.record.startedAt = new Date();
  child.report('initiated');
  await clockSpeed.sleep(ROUTE_MS, child.over);
  if (child.callee.pickup === 'unroutable') return child.finish('failed');
  child.enter('ringing');
  child.report('ringing');
  const ringSeconds = Math.min(seconds(verb, 'timeout', DEFAULT_RING_SECONDS), MAX_RING_SECONDS);
  if (!(await pickedUp(child, ringSeconds))) return;
  const separate = bridge(call.line, child.line);
  child.answer(seconds(verb, 'timeLimit', DEFAULT_LIMIT_SECONDS));
  await over(child);
  separate();
}

const over = (child: CallHandle): Promise<void> =>
  new Promise((resolve) => {
    if (child.over.aborted) resolve();
    child.over.addEventListener('abort', () => resolve(), { once: true });
  });

function seconds(verb: Verb, attribute: string, fallback: number): number {
  const given = Number(verb.attributes[attribute] ?? fallback);
  return Number.isInteger(given) && given > 0 ? given : fallback;
}

/** No call is placed; the call continues. */
function refused(call: CallHandle, code: number, why: string): DialFields {
  call.carrier.journal.write('refusal', call.record, { what: 'dial', why: `${code}: ${why}` });
  return { DialCallStatus: 'failed' };
}

const fieldsOf = (record: CallRecord): DialFields => ({
  DialCallSid: record.sid,
  DialCallStatus: record.status,
  DialBridged: String(record.answered),
  ...(record.answered && { DialCallDuration: String(callSeconds(record)) }),
});

/** The action URL is requested even after the end of the call; its response is ignored then. */
function tellOfHangUp(call: CallHandle, verb: Verb, fields: DialFields): void {
  const url = verb.attributes['action'];
  if (url === undefined || call.record.endedAt === null) return;
  void call.carrier.webhooks.notify({
    event: 'dial-action',
    url,
    subject: call.record,
    params: call.params(fields),
  });
}
