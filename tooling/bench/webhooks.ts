/** npm run bench -- webhooks [--only throughput|latency|statements]: deliveries of finished calls to ten receivers. */
import type { Finding } from './support/findings.js';
import { latency, latencyAtHalfLoad, throughputBesideOneThatHangs, warmUp } from './webhooks/latency.js';
import { statements } from './webhooks/statements.js';
import { throughput } from './webhooks/throughput.js';
import { withWebhookRig, type WebhookRig } from './webhooks/webhook-rig.js';

/** Calls per second for `--only latency`, which has no measured throughput to halve. */
const PLAIN_LOAD = 400;

export const parts = ['throughput', 'latency', 'statements'];

export async function run(only?: string): Promise<Finding[]> {
  return [
    ...(only === 'statements' ? [] : await withWebhookRig((rig) => speed(rig, only))),
    ...(only === undefined || only === 'statements'
      ? await withWebhookRig(statements, { counted: true })
      : []),
  ];
}

async function speed(rig: WebhookRig, only?: string): Promise<Finding[]> {
  const fast = only === 'latency' ? [] : await throughput(rig);
  if (only === 'throughput') return fast;
  if (fast.length === 0) await warmUp(rig);
  return [
    ...fast,
    ...(await latencyAtHalfLoad(rig, fast[0]?.own ?? PLAIN_LOAD)),
    ...(await latency(rig)),
    await throughputBesideOneThatHangs(rig),
  ];
}
