import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { WebhookRig } from './webhook-rig.js';

/** Queue libraries whose workers do the same work; `outbox`: none, see peer/outbox.ts. */
export type JobLibrary = 'bull' | 'bullmq' | 'pg-boss' | 'outbox';

/** To the worker's process: enqueue this number of deliveries, or report the CPU time. */
export interface JobWorkerOrder {
  deliver: number;
}

/** From the worker's process, at the end of each order. */
export interface JobWorkerReport {
  cpuMs: number;
}

/** Environment of the worker's process, as JSON in BENCH_JOBS. */
export interface JobWorkerSetup {
  library: JobLibrary;
  databaseUrl: string;
  redisUrl: string;
  urls: string[];
  body: string;
}

export interface JobWorker {
  library: JobLibrary;
  /** Resolves when all are recorded. */
  deliver(count: number): Promise<void>;
  cpuMs(): Promise<number>;
  stop(): Promise<void>;
}

/** @returns null: the library requires Redis, and none is available */
export async function startJobWorker(library: JobLibrary, rig: WebhookRig): Promise<JobWorker | null> {
  if (rig.redisUrl === null && (library === 'bull' || library === 'bullmq')) return null;
  const setup: JobWorkerSetup = {
    library,
    databaseUrl: rig.database.url,
    redisUrl: rig.redisUrl ?? '',
    urls: rig.receivers.urls,
    body: rig.body,
  };
  const child = fork(fileURLToPath(new URL('../peer/job-worker.js', import.meta.url)), {
    stdio: 'inherit',
    env: { ...process.env, BENCH_JOBS: JSON.stringify(setup) },
  });
  const exited = once(child, 'exit');
  await once(child, 'message');
  const order = async (deliver: number): Promise<number> => {
    const answer = once(child, 'message');
    child.send({ deliver } satisfies JobWorkerOrder);
    const [{ cpuMs }] = (await answer) as [JobWorkerReport];
    return cpuMs;
  };
  return {
    library,
    deliver: async (count) => void (await order(count)),
    cpuMs: () => order(0),
    stop: async () => {
      child.disconnect();
      await exited;
    },
  };
}
