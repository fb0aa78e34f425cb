/**
 * node job-worker.js: deliveries by a plain worker of a queue library: a job for each delivery, one signed request,
 * one recorded row. Jobs are added in bulk. `outbox` uses no library, see there.
 */
import { createHmac, randomUUID } from 'node:crypto';
import Bull from 'bull';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import PgBoss from 'pg-boss';
import { Agent, request } from 'undici';
import { ownCpuMs } from '../support/report-on-request.js';
import type { JobWorkerOrder, JobWorkerReport, JobWorkerSetup } from '../webhooks/job-workers.js';
import { CONCURRENCY } from '../webhooks/throughput.js';
import { openOutbox, type Posted } from './outbox.js';

interface Delivery {
  url: string;
  body: string;
}

const SECRET = Buffer.alloc(32, 7);
const TIMEOUT_MS = 15_000;
/** pg-boss fetches a batch at most every half second. */
const BOSS = { workers: 8, batchSize: 500, pollingIntervalSeconds: 0.5 };
const BULK = 500;

if (process.send && process.env.BENCH_JOBS) {
  const { library, databaseUrl, redisUrl, urls, body } = JSON.parse(process.env.BENCH_JOBS) as JobWorkerSetup;
  const table = `peer_deliveries_${library.replace('-', '_')}`;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  // Its database stops before this process ends.
  pool.on('error', () => undefined);
  const dispatcher = new Agent({ connections: 64, pipelining: 1 });
  let left = 0;
  let done: () => void = () => undefined;

  const post = async (id: string, url: string, text: string): Promise<Posted> => {
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = createHmac('sha256', SECRET).update(`${id}.${timestamp}.${text}`).digest('base64');
    const started = performance.now();
    const answer = await request(url, {
      method: 'POST',
      body: text,
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': `v1,${signature}`,
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      dispatcher,
    });
    const { statusCode } = answer;
    return {
      statusCode,
      text: await answer.body.text(),
      durationMs: performance.now() - started,
    };
  };

  const deliver = async ({ url, body: sent }: Delivery): Promise<void> => {
    const id = `msg_${randomUUID()}`;
    const { statusCode, text, durationMs } = await post(id, url, sent);
    await pool.query({
      name: 'record',
      text: `INSERT INTO ${table} (webhook_id, url, body, status_code, response_body, duration_ms)
             VALUES ($1, $2, $3, $4, $5, $6)`,
      values: [id, url, sent, statusCode, text, durationMs],
    });
    if (--left === 0) done();
  };

  /** @returns adds jobs */
  const open = async (): Promise<(deliveries: Delivery[]) => Promise<unknown>> => {
    if (library === 'bull') {
      const queue = new Bull<Delivery>('bench-bull', redisUrl);
      void queue.process(CONCURRENCY, ({ data }) => deliver(data));
      const opts = { removeOnComplete: true };
      return (deliveries) => queue.addBulk(deliveries.map((data) => ({ data, opts })));
    }
    if (library === 'bullmq') {
      const connection = (): Redis => new Redis(redisUrl, { maxRetriesPerRequest: null });
      const queue = new Queue<Delivery>('bench-bullmq', { connection: connection() });
      new Worker<Delivery>('bench-bullmq', ({ data }) => deliver(data), {
        connection: connection(),
        concurrency: CONCURRENCY,
      });
      const opts = { removeOnComplete: true };
      return (deliveries) => queue.addBulk(deliveries.map((data) => ({ name: 'deliver', data, opts })));
    }
    const boss = new PgBoss({ connectionString: databaseUrl, schema: 'bench_boss' });
    await boss.start();
    await boss.createQueue('deliver');
    const { workers, ...options } = BOSS;
    for (let index = 0; index < workers; index++) {
      await boss.work<Delivery>('deliver', options, async (jobs) => {
        const rest = [...jobs];
        const one = async (): Promise<void> => {
          for (let job = rest.pop(); job; job = rest.pop()) await deliver(job.data);
        };
        await Promise.all(Array.from({ length: CONCURRENCY / workers }, one));
      });
    }
    return (deliveries) => boss.insert(deliveries.map((data) => ({ name: 'deliver', data })));
  };

  await pool.query(
    `CREATE TABLE ${table} (id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, webhook_id text NOT NULL UNIQUE,
       url text NOT NULL, body text NOT NULL, status_code int NOT NULL, response_body text NOT NULL,
       duration_ms float NOT NULL, created_at timestamptz NOT NULL DEFAULT now())`,
  );
  const start =
    library === 'outbox'
      ? await openOutbox(pool, urls, body, { concurrency: CONCURRENCY, post })
      : addInBulk(await open());
  const report = (): void => {
    // The benchmark may have ended.
    process.send?.({ cpuMs: ownCpuMs() } satisfies JobWorkerReport, () => undefined);
  };
  process.on('disconnect', () => process.exit(0));
  process.on('message', ({ deliver: count }: JobWorkerOrder) => void run(count));
  report();

  async function run(count: number): Promise<void> {
    if (count > 0) await start(count);
    report();
  }

  function addInBulk(add: (deliveries: Delivery[]) => Promise<unknown>) {
    return async (count: number): Promise<void> => {
      left = count;
      const all = new Promise<void>((resolve) => (done = resolve));
      const deliveries = Array.from({ length: count }, (_, index) => ({
        url: urls[index % urls.length] ?? '',
        body,
      }));
      for (let from = 0; from < count; from += BULK) await add(deliveries.slice(from, from + BULK));
      await all;
    };
  }
}
