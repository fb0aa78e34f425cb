import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SANDBOX_ACCOUNT_SID, SANDBOX_API_KEY, SANDBOX_AUTH_TOKEN } from '../../sandbox/defaults.js';
import { startServer, type ServiceProcess } from '../../harness/server-process.js';
import type { BenchDatabase } from '../support/database.js';
import { startService } from '../support/service.js';
import { askForReport } from '../support/report-on-request.js';
import type { StatementCounts } from './statement-counts.js';

/** The service, with a sandbox carrier in its own process. */
export interface DialRig {
  database: BenchDatabase;
  service: ServiceProcess;
  carrier: ServiceProcess;
  /** Of the service. */
  counts(): Promise<StatementCounts>;
}

const TIMEOUT_MS = 180_000;

/** @param speed of the sandbox's callees */
export async function withDialRig<T>(
  database: BenchDatabase,
  speed: number,
  measure: (rig: DialRig) => Promise<T>,
): Promise<T> {
  const file = join(database.dataDir, 'statements.json');
  const counter = fileURLToPath(new URL('./count-statements.js', import.meta.url));
  const carrier = await startServer(['dist/tooling/sandbox/main.js'], {
    env: { DATA_DIR: database.dataDir, SANDBOX_SPEED: String(speed) },
    ready: '/health',
    echo: true,
  });
  try {
    const service = await startService(database, {
      // The benchmark's receiver.
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
      TWILIO_ACCOUNT_SID: SANDBOX_ACCOUNT_SID,
      TWILIO_AUTH_TOKEN: SANDBOX_AUTH_TOKEN,
      TWILIO_API_URL: carrier.url,
      LLM_BASE_URL: `${carrier.url}/v1`,
      LLM_API_KEY: SANDBOX_API_KEY,
      BENCH_REPORT: file,
      NODE_OPTIONS: `--import=${counter} ${process.env.BENCH_NODE_OPTIONS ?? ''}`,
    });
    try {
      return await measure({ database, service, carrier, counts: () => askForReport(service.pid, file) });
    } finally {
      await service.stop();
    }
  } finally {
    await carrier.stop();
  }
}

/** Waits until the query, whose only column is `n`, returns at least `wanted`. */
export async function until(
  { pool }: BenchDatabase,
  sql: string,
  params: readonly unknown[],
  wanted: number,
): Promise<void> {
  for (const end = Date.now() + TIMEOUT_MS; ; await sleep(50)) {
    const { rows } = await pool.query<{ n: number }>(sql, [...params]);
    const n = rows[0]?.n ?? 0;
    if (n >= wanted) return;
    if (Date.now() > end) throw new Error(`${n} of ${wanted} in time: ${sql}`);
  }
}
