import type { CallOrder } from './call-order.js';
import type { LiveCall } from './live-call.js';
import { pickedUp } from './ringing.js';
import type { WebhookRequest } from './webhooks.js';

/** Milliseconds of simulated time, see ClockSpeed. */
const DIAL_MS = 200;
const ROUTE_MS = 400;
const DETECTION_MS = 4_000;

/** Takes an accepted call from the queue to its end. */
export async function dialOut(call: LiveCall, order: CallOrder): Promise<void> {
  const { clockSpeed } = call.carrier;
  await clockSpeed.sleep(DIAL_MS, call.over);
  call.record.startedAt = new Date();
  call.report('initiated');
  await clockSpeed.sleep(ROUTE_MS, call.over);
  if (call.callee.pickup === 'unroutable') return call.finish('failed');
  call.enter('ringing');
  call.report('ringing');
  if (!(await pickedUp(call, order.ringSeconds))) return;
  call.answer(order.limitSeconds);
  if (order.machineDetection !== null) detectMachine(call, order).catch(() => undefined);
  await call.follow(order.instructions);
}

/** Asynchronous machine detection: the conversation does not wait for its result. */
async function detectMachine(call: LiveCall, order: CallOrder): Promise<void> {
  const { callee, line, reports } = call;
  const startedAt = Date.now();
  const detections = callee.reportOrder?.detections;
  if (!detections) {
    const webhook = detected(call, order, await answererOf(call, order), startedAt);
    return webhook ? call.carrier.webhooks.notify(webhook) : undefined;
  }
  for (const detection of detections) {
    // The end of the call releases it, too.
    await line.untilSpoken(detection.afterSpoken).catch(() => undefined);
    const webhook = detected(call, order, detection.answeredBy, startedAt);
    if (webhook) reports.detect(detection, webhook);
  }
}

function detected(
  { carrier, record }: LiveCall,
  { machineDetectionCallback: url }: CallOrder,
  answeredBy: string,
  startedAt: number,
): WebhookRequest | null {
  record.answeredBy = answeredBy;
  if (url === null) return null;
  return {
    event: `amd:${answeredBy}`,
    url,
    subject: record,
    params: {
      AccountSid: carrier.accountSid,
      CallSid: record.sid,
      AnsweredBy: answeredBy,
      MachineDetectionDuration: String(Date.now() - startedAt),
    },
  };
}

async function answererOf(call: LiveCall, order: CallOrder): Promise<string> {
  const { callee, carrier, line } = call;
  await carrier.clockSpeed.sleep(DETECTION_MS, call.over);
  if (order.machineDetection === 'Enable' || callee.answeredBy !== 'machine_start') return callee.answeredBy;
  const end = await line.untilAnnounced(
    order.detectionSeconds * 1000 - carrier.clockSpeed.real(DETECTION_MS),
  );
  return end === null ? 'unknown' : `machine_end_${end}`;
}
