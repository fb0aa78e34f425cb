import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { startEmbeddedRedis } from '#src/embedded/embedded-redis.js';
import { anAccount } from './support/account.js';
import type { Child } from './support/child.js';
import { openDatabase, type BenchDatabase } from './support/database.js';
import { atLeast, below, noted, type Finding } from './support/findings.js';
import { inTurns } from './support/in-turns.js';
import { positive } from './support/pace.js';
import { say } from './support/progress.js';
import { startService } from './support/service.js';
import { quantile } from './support/stats.js';
import { finishCalls, type Customer } from './webhooks/finished-calls.js';
import { startReceivers, type Receivers } from './webhooks/receiver-process.js';

/** Deliveries that one process of the service sends at a time. */
const CONCURRENCY = 64;
const BURST = positive('BENCH_DELIVERIES', 3_000);
const PACED = positive('BENCH_PACED', 500);
const PACE_MS = 20;
const TIMEOUT_MS = 120_000;
/** Round trip to a receiver on the same continent. */
const USUAL_ANSWER_MS = 50;

interface Bench {
  database: BenchDatabase;
  service: Child;
  receivers: Receivers;
  customers: Customer[];
}

export async function run(): Promise<Finding[]> {
  const database = await openDatabase();
  const receivers = await startReceivers();
  const redis = await startEmbeddedRedis({ dataDir: database.dataDir, log: say });
  const service = await startService(database, {
    OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
    ...(redis ? { REDIS_URL: redis.url } : {}),
  });
  try {
    const customers = await Promise.all(
      receivers.urls.map((url, index) => aCustomer(database, service, url, index)),
    );
    const bench = { database, service, receivers, customers };
    return [
      ...(await throughput(bench)),
      ...(await latency(bench, 'all receivers answer', false)),
      ...(await latency(bench, 'one of ten receivers hangs', true)),
      await throughputBesideOneThatHangs(bench),
    ];
  } finally {
    await service.stop();
    await redis?.stop();
    await receivers.stop();
    await database.close();
  }
}

/** Creates an account for one receiver. */
async function aCustomer(
  { pool }: BenchDatabase,
  service: Child,
  url: string,
  index: number,
): Promise<Customer> {
  const account = await anAccount(pool, `bench-${index}`);
  const answer = await fetch(`${service.url}/api/user/assistant`, {
    method: 'POST',
    headers: account.headers,
    body: JSON.stringify({
      assistant_name: 'Bench',
      voice_id: 1,
      language: 'English',
      llm_model: 'gpt-4.1-mini',
      calls_direction: 'make',
      engine_type: 'pipeline',
      timezone: 'UTC',
      initial_message: 'Hello.',
      system_prompt: 'Be kind.',
      is_webhook_active: true,
      webhook_url: url,
    }),
  });
  const { data } = (await answer.json()) as { data: { id: number } };
  return { accountId: account.id, assistantId: data.id };
}

/** Calls that end at the same time, compared with a loop that only posts. */
async function throughput({ database, receivers, customers }: Bench): Promise<Finding[]> {
  const body = await aBody({ database, receivers, customers });
  const sides = {
    peer: () => perSecond(() => postLoop(receivers, body)),
    own: () => perSecond(() => finishCalls(database.pool, customers, BURST).then(() => taken(receivers))),
  };
  receivers.tell({ hang: false, answerMs: USUAL_ANSWER_MS });
  const usual = await inTurns(sides);
  receivers.tell({ hang: false, answerMs: 0 });
  const instant = await inTurns(sides, 1);
  return [
    atLeast(`deliveries, receivers answer after ${USUAL_ANSWER_MS} ms`, '/s', 0.5, usual),
    noted('deliveries, receivers answer at once', '/s', instant.own, instant.peer),
  ];

  async function perSecond(work: () => Promise<unknown>): Promise<number> {
    const started = performance.now();
    await work();
    return (BURST * 1000) / (performance.now() - started);
  }
}

/** Throughput of nine receivers while the first one does not answer. */
async function throughputBesideOneThatHangs({ database, receivers, customers }: Bench): Promise<Finding> {
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

const taken = (receivers: Receivers) => receivers.take(BURST, TIMEOUT_MS);

/** A body like those of the service. */
async function aBody({
  database,
  receivers,
  customers,
}: Pick<Bench, 'database' | 'receivers' | 'customers'>) {
  const [id] = await finishCalls(database.pool, customers, 1);
  await receivers.take(1, TIMEOUT_MS);
  const { rows } = await database.pool.query<{ body: string }>(
    'SELECT body FROM webhook_deliveries WHERE call_id = $1',
    [id],
  );
  return rows[0]?.body ?? '';
}

async function postLoop(receivers: Receivers, body: string): Promise<void> {
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
  await taken(receivers);
  await dispatcher.destroy();
}

/** Sequential calls: time from the commit to the receiver. */
async function latency(bench: Bench, what: string, hang: boolean): Promise<Finding[]> {
  const { database, receivers, customers } = bench;
  receivers.tell({ hang, answerMs: USUAL_ANSWER_MS });
  const commits = new Map<number, number>();
  for (let index = 0; index < PACED; index++) {
    const customer = customers.slice(index % customers.length);
    const [id] = await finishCalls(database.pool, customer, 1);
    commits.set(id ?? 0, Date.now());
    await sleep(PACE_MS);
  }
  // The hanging receiver can use its own slots only.
  const healthy = hang ? (PACED * (customers.length - 1)) / customers.length : PACED;
  const seen = new Map<number, number>();
  while (seen.size < healthy) {
    for (const { receiver, callId, at } of await receivers.take(1, TIMEOUT_MS)) {
      if (!hang || receiver !== 0) seen.set(callId, at);
    }
  }
  const waits = [...seen].map(([callId, at]) => at - (commits.get(callId) ?? at));
  return [
    below(`commit → first attempt, ${what}: p50`, 'ms', 20, quantile(waits, 0.5)),
    below(`commit → first attempt, ${what}: p99`, 'ms', 200, quantile(waits, 0.99)),
  ];
}
