import cluster from 'node:cluster';
import { once } from 'node:events';
import type { LoggerService } from '@nestjs/common';
import { SettingsError } from './config/env-fields.js';
import { tellMetricsTo } from './metrics/metrics-of-workers.js';
import { processName, type Runtime } from './runtime.js';
import type { ShutdownSteps } from './stop-on-signal.js';

/** What a process that answers requests is given. */
export interface Served {
  runtime: Runtime;
  /** The first one tells how to use the demo accounts. */
  isFirst: boolean;
  /** Of the service; ms since 1970. */
  startedAt: number;
}

const ASK = 'worker-processes:ask';
const SERVE = 'worker-processes:serve';
const READY = 'worker-processes:ready';

/** A process that fails at once is not started again in a loop. */
const RESTART_MS = 1_000;

/**
 * WEB_CONCURRENCY: several processes behind one port. This primary process has started what all of them need; each
 * worker is the service, as if it ran on a machine of its own. One that ends is replaced.
 */
export class WorkerProcesses {
  private isStopping = false;

  constructor(
    private readonly served: Served,
    private readonly logger: LoggerService,
  ) {}

  /**
   * Resolves when all of them answer. The first one starts alone: it creates what the others find.
   *
   * @throws SettingsError without Redis; Error when one of them could not start
   */
  async start(stop: ShutdownSteps): Promise<void> {
    const { redisUrl, processes } = this.served.runtime.settings;
    if (redisUrl === null) throw new SettingsError(['WEB_CONCURRENCY above 1 needs Redis, set REDIS_URL']);
    // Workers take connections themselves: one that this process had handed to a worker that is killed would hang.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    // Settings are not only what JSON has.
    cluster.setupPrimary({ serialization: 'advanced' });
    stop.onShutdown(() => this.stop());
    await this.begin(true);
    await Promise.all(Array.from({ length: processes - 1 }, () => this.begin(false)));
    this.logger.log(`${processes} processes answer`, 'Main');
  }

  private async stop(): Promise<void> {
    this.isStopping = true;
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(
      workers.map((worker) => {
        const exited = once(worker, 'exit');
        worker.process.kill('SIGTERM');
        return exited;
      }),
    );
  }

  /** Resolves when it answers. */
  private begin(isFirst: boolean): Promise<void> {
    const { startedAt, runtime } = this.served;
    const settings = { ...runtime.settings, processName: processName(runtime.settings.role) };
    const served: Served = { runtime: { ...runtime, settings }, isFirst, startedAt };
    const worker = cluster.fork();
    tellMetricsTo(worker);
    return new Promise((resolve, reject) => {
      let isReady = false;
      worker.on('message', ({ type }: { type: string }) => {
        // What is sent before the worker listens is lost.
        if (type === ASK) worker.send({ type: SERVE, served });
        if (type !== READY) return;
        isReady = true;
        resolve();
      });
      worker.once('exit', (code, signal) => {
        if (isReady) this.replace(signal ?? `code ${code}`);
        else reject(new Error('A process could not start'));
      });
    });
  }

  private replace(how: string): void {
    if (this.isStopping) return;
    this.logger.error(`A process ended (${how}); another one takes its place`, 'Main');
    setTimeout(() => {
      if (!this.isStopping) this.begin(false).catch(() => this.replace('while it started'));
    }, RESTART_MS);
  }
}

/** In a worker process: what it is to serve. */
export async function servedByPrimary(): Promise<Served> {
  process.send?.({ type: ASK });
  for (;;) {
    const [message] = (await once(process, 'message')) as [{ type: string; served: Served }];
    if (message.type === SERVE) return message.served;
  }
}

/** Tells the primary process that this one answers requests. */
export const tellReady = (): void => void process.send?.({ type: READY });
