import { setTimeout as sleep } from 'node:timers/promises';
import { below, noted, type Finding } from '../support/findings.js';
import { positive, SECONDS } from '../support/pace.js';
import { quantile } from '../support/stats.js';
import { finishCalls } from './finished-calls.js';
import { BURST, TIMEOUT_MS, USUAL_ANSWER_MS, type WebhookRig } from './webhook-rig.js';

const PACED = positive('BENCH_PACED', 500);
const PACE_MS = 20;
/** Of calls that end in one commit, under load. */
const LOAD_TICK_MS = 10;

interface Pace {
  hang: boolean;
  /** Calls in all. */
  count: number;
  /** Calls of one commit, and ms between commits. */
  batch: number;
  everyMs: number;
}

/** The first deliveries of a process are slow: its code is not compiled yet. */
export async function warmUp({ database, receivers, customers, settled }: WebhookRig): Promise<void> {
  receivers.tell({ hang: false, answerMs: USUAL_ANSWER_MS });
  await finishCalls(database.pool, customers, BURST);
  await receivers.take(BURST, TIMEOUT_MS);
  await settled();
}

/** Time from the commit to the receiver, of single calls. */
export async function latency(rig: WebhookRig): Promise<Finding[]> {
  const single = { count: PACED, batch: 1, everyMs: PACE_MS };
  return [
    ...(await commitToAttempt(rig, 'all receivers answer', { ...single, hang: false })),
    ...(await commitToAttempt(rig, 'one of ten receivers hangs', { ...single, hang: true })),
  ];
}

/** @param perSecond deliveries of the service at full load */
export async function latencyAtHalfLoad(rig: WebhookRig, perSecond: number): Promise<Finding[]> {
  const batch = Math.max(1, Math.round((perSecond / 2) * (LOAD_TICK_MS / 1000)));
  const everyMs = (batch * 1000) / (perSecond / 2);
  const count = (perSecond / 2) * SECONDS;
  return commitToAttempt(rig, `${Math.round(perSecond / 2)} calls/s`, { hang: false, count, batch, everyMs });
}

async function commitToAttempt(
  { database, receivers, customers, settled }: WebhookRig,
  what: string,
  { hang, count, batch, everyMs }: Pace,
): Promise<Finding[]> {
  receivers.tell({ hang, answerMs: USUAL_ANSWER_MS });
  const commits = new Map<number, number>();
  let turn = 0;
  const started = performance.now();
  for (let tick = 0; commits.size < count; tick++) {
    await sleep(Math.max(0, started + tick * everyMs - performance.now()));
    const next = Array.from({ length: batch }, () => customers[turn++ % customers.length]).flatMap(
      (customer) => customer ?? [],
    );
    const ids = await finishCalls(database.pool, next, next.length);
    const at = Date.now();
    for (const id of ids) commits.set(id, at);
  }
  // The hanging receiver can use only its own slots.
  const healthy = hang
    ? Math.floor((commits.size * (customers.length - 1)) / customers.length)
    : commits.size;
  const seen = new Map<number, number>();
  while (seen.size < healthy) {
    for (const { receiver, callId, at } of await receivers.take(1, TIMEOUT_MS)) {
      if (!hang || receiver !== 0) seen.set(callId, at);
    }
  }
  if (!hang) await settled();
  const waits = [...seen].map(([callId, at]) => at - (commits.get(callId) ?? at));
  return [
    below(`commit → first attempt, ${what}: p50`, 'ms', 10, quantile(waits, 0.5)),
    below(`commit → first attempt, ${what}: p99`, 'ms', 50, quantile(waits, 0.99)),
  ];
}

/** Throughput of nine receivers while the first one does not respond. */
export async function throughputBesideOneThatHangs({
  database,
  receivers,
  customers,
}: WebhookRig): Promise<Finding> {
  receivers.tell({ hang: true, answerMs: USUAL_ANSWER_MS });
  const healthy = (BURST * (customers.length - 1)) / customers.length;
  const started = performance.now();
  await finishCalls(database.pool, customers, BURST);
  for (let seen = 0; seen < healthy;) {
    const arrivals = await receivers.take(1, TIMEOUT_MS);
    seen += arrivals.filter(({ receiver }) => receiver !== 0).length;
  }
  const perSecond = (healthy * 1000) / (performance.now() - started);
  return noted('deliveries to the nine others while one of ten receivers hangs', '/s', perSecond);
}
