import { Agent, request } from 'undici';
import { ownCpuMs } from '../support/report-on-request.js';
import { atLeast, noted, type Finding } from '../support/findings.js';
import { inTurns } from '../support/in-turns.js';
import { ROUNDS } from '../support/pace.js';
import { say } from '../support/progress.js';
import { startJobWorker, type JobLibrary, type JobWorker } from './job-workers.js';
import { insertCalls, tellOfCalls } from './finished-calls.js';
import { RECEIVERS } from './receivers.js';
import { BURST, TIMEOUT_MS, USUAL_ANSWER_MS, type WebhookRig } from './webhook-rig.js';

/** Concurrent requests: the service's limit for ten receivers of ten accounts. */
export const CONCURRENCY = 8 * RECEIVERS;
const LIBRARIES: readonly JobLibrary[] = ['bull', 'bullmq', 'pg-boss', 'outbox'];

/** The service becomes faster during the first rounds. */
const WARM_ROUNDS = 5;
/** For receivers that respond at once: a round of the bare loop takes a fifth of a second, and rounds differ. */
const SHORT_ROUNDS = Math.max(9, ROUNDS);

type Sides = Record<'bare' | 'own' | JobLibrary, number>;

/** Calls that end at the same time, beside a loop of plain POSTs and workers of queue libraries. */
export async function throughput(rig: WebhookRig): Promise<Finding[]> {
  const workers = await Promise.all(LIBRARIES.map((library) => startJobWorker(library, rig)));
  try {
    // First, because these rounds are short: code is compiled during the first rounds.
    rig.receivers.tell({ hang: false, answerMs: 0 });
    const instant = await measure(rig, workers, SHORT_ROUNDS);
    rig.receivers.tell({ hang: false, answerMs: USUAL_ANSWER_MS });
    const usual = await measure(rig, workers, ROUNDS);
    return [
      ...findings(`deliveries, receivers answer after ${USUAL_ANSWER_MS} ms`, 0.8, usual),
      ...findings('deliveries, receivers answer at once', 0.3, instant),
    ];
  } finally {
    await Promise.all(workers.map((worker) => worker?.stop()));
  }
}

interface Measured {
  perSecond: Sides;
  /** Per delivery. */
  cpuMs: Sides;
}

function findings(what: string, share: number, { perSecond, cpuMs }: Measured): Finding[] {
  const { own, bare } = perSecond;
  const libraries = LIBRARIES.filter((library) => !Number.isNaN(perSecond[library]));
  return [
    atLeast(`${what}; peer: bare loop`, '/s', share, { own, peer: bare }),
    ...libraries.map((library) => {
      const name = `${what}; peer: ${library}`;
      const peer = perSecond[library];
      // The outbox does less than the service: it shows the database's share of a delivery.
      return library === 'outbox' ? noted(name, '/s', own, peer) : atLeast(name, '/s', 1, { own, peer });
    }),
    noted(`${what}: CPU; peer: bare loop`, 'ms', cpuMs.own, cpuMs.bare),
    ...libraries.map((library) => noted(`${what}: CPU; peer: ${library}`, 'ms', cpuMs.own, cpuMs[library])),
  ];
}

async function measure(
  rig: WebhookRig,
  workers: readonly (JobWorker | null)[],
  rounds: number,
): Promise<Measured> {
  const cpu = { own: 0, bare: 0, bull: 0, bullmq: 0, 'pg-boss': 0, outbox: 0 };
  const side =
    (name: keyof Sides, deliver: () => Promise<unknown>, cpuMs: () => Promise<number>) => async () => {
      const before = await cpuMs();
      const started = Date.now();
      await deliver();
      const arrivals = await rig.receivers.take(BURST, TIMEOUT_MS);
      // Receivers report every 20 ms, a tenth of a round of the bare loop.
      const tookMs = Math.max(...arrivals.map(({ at }) => at)) - started;
      await rig.settled();
      cpu[name] = (await cpuMs()) - before;
      const perSecond = (BURST * 1000) / tookMs;
      say(`webhooks: ${name} ${Math.round(perSecond)}/s, ${(cpu[name] / BURST).toFixed(2)} ms`);
      return perSecond;
    };
  const sides = {
    bare: side(
      'bare',
      () => postLoop(rig),
      async () => ownCpuMs(),
    ),
    own: async () => {
      // The calls are created before: a worker of a library has its bodies, too.
      const ids = await insertCalls(rig.database.pool, rig.customers, BURST);
      return side(
        'own',
        () => tellOfCalls(rig.database.pool, ids),
        async () => rig.cpuMs(),
      )();
    },
    ...Object.fromEntries(
      workers.flatMap((worker) => {
        if (!worker) return [];
        const { library: name, deliver, cpuMs } = worker;
        return [[name, side(name, () => deliver(BURST), cpuMs)]];
      }),
    ),
  };
  const perSecond = {
    bull: NaN,
    bullmq: NaN,
    'pg-boss': NaN,
    outbox: NaN,
    ...(await inTurns(sides, WARM_ROUNDS, rounds)),
  };
  const cpuMs = Object.fromEntries(Object.entries(cpu).map(([name, ms]) => [name, ms / BURST])) as Sides;
  return { perSecond, cpuMs };
}

async function postLoop({ receivers, body }: WebhookRig): Promise<void> {
  const dispatcher = new Agent({ connections: CONCURRENCY, pipelining: 1 });
  let sent = 0;
  const worker = async (): Promise<void> => {
    while (sent < BURST) {
      const url = receivers.urls[sent++ % receivers.urls.length] ?? '';
      const headers = { 'content-type': 'application/json' };
      const answer = await request(url, { method: 'POST', body, headers, dispatcher });
      await answer.body.text();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  await dispatcher.destroy();
}
