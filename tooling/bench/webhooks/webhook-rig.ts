import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startEmbeddedRedis } from '#src/embedded/embedded-redis.js';
import { CpuMeter } from '../../faults/support/cpu-meter.js';
import type { StatementCounts } from '../dialer/statement-counts.js';
import { askForReport } from '../support/report-on-request.js';
import { anAccount } from '../support/account.js';
import type { ServiceProcess } from '../../harness/server-process.js';
import { openDatabase, type BenchDatabase } from '../support/database.js';
import { positive } from '../support/pace.js';
import { say } from '../support/progress.js';
import { startService } from '../support/service.js';
import { finishCalls, type Customer } from './finished-calls.js';
import { startReceivers, type Receivers } from './receiver-process.js';

export const BURST = positive('BENCH_DELIVERIES', 3_000);
export const TIMEOUT_MS = 120_000;
/** Round trip to a receiver on the same continent. */
export const USUAL_ANSWER_MS = 50;
const POLL_MS = 20;

/** The service with receivers, one customer for each. */
export interface WebhookRig {
  database: BenchDatabase;
  /** Null: none can be started on this machine. */
  redisUrl: string | null;
  receivers: Receivers;
  customers: Customer[];
  /** As in the service. */
  body: string;
  /** CPU time of the service since its start. */
  cpuMs(): number;
  /** Of the service. @throws without counting, which slows the service down */
  counts(): Promise<StatementCounts>;
  /** Waits until all deliveries are recorded. */
  settled(): Promise<void>;
}

export async function withWebhookRig<T>(
  measure: (rig: WebhookRig) => Promise<T>,
  { counted = false } = {},
): Promise<T> {
  const database = await openDatabase();
  const receivers = await startReceivers();
  const redis = await startEmbeddedRedis({ dataDir: database.dataDir, log: say });
  const file = join(database.dataDir, 'statements.json');
  const counter = fileURLToPath(new URL('../dialer/count-statements.js', import.meta.url));
  const service = await startService(database, {
    OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
    BENCH_REPORT: file,
    NODE_OPTIONS: `${counted ? `--import=${counter}` : ''} ${process.env.BENCH_NODE_OPTIONS ?? ''}`,
    ...(redis ? { REDIS_URL: redis.url } : {}),
  });
  try {
    const customers = await Promise.all(
      receivers.urls.map((url, index) => aCustomer(database, service, url, index)),
    );
    const rig = {
      database,
      redisUrl: redis?.url ?? null,
      receivers,
      customers,
      cpuMs: () => new CpuMeter(service.pid).read(),
      counts: () => {
        if (!counted) throw new Error('the statements of this service are not counted');
        return askForReport<StatementCounts>(service.pid, file);
      },
      settled: () => settled(database),
    };
    return await measure({ ...rig, body: await aBody(rig) });
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
  service: ServiceProcess,
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
      llm_model: 'gpt-6-luna',
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

async function aBody({ database, receivers, customers }: Omit<WebhookRig, 'body'>): Promise<string> {
  const [id] = await finishCalls(database.pool, customers, 1);
  await receivers.take(1, TIMEOUT_MS);
  const { rows } = await database.pool.query<{ body: string }>(
    'SELECT body FROM webhook_deliveries WHERE call_id = $1',
    [id],
  );
  return rows[0]?.body ?? '';
}

async function settled({ pool }: BenchDatabase): Promise<void> {
  for (const end = Date.now() + TIMEOUT_MS; ; await sleep(POLL_MS)) {
    const { rows } = await pool.query<{ pending: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM domain_events)
           OR EXISTS (SELECT 1 FROM webhook_deliveries WHERE state = 'pending') AS pending`,
    );
    if (rows[0]?.pending === false) return;
    if (Date.now() > end) throw new Error('not all deliveries were recorded in time');
  }
}
