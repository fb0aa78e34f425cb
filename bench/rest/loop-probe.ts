/**
 * Sends cheap requests continuously: the longest answer shows how long the server's event loop was blocked. Runs in its
 * own thread, so that the benchmark's own work does not delay it.
 */
import { parentPort, Worker, workerData, isMainThread } from 'node:worker_threads';
import { Pool } from 'undici';

export class LoopProbe {
  /** Rejects when a request failed, for example because the server was stopped. */
  private readonly failed: Promise<never>;

  private constructor(private readonly worker: Worker) {
    this.failed = new Promise((_, reject) => worker.once('error', reject));
    this.failed.catch(() => undefined);
  }

  static async start(url: string): Promise<LoopProbe> {
    const started = new LoopProbe(new Worker(new URL(import.meta.url), { workerData: url }));
    await started.message();
    return started;
  }

  /** Ends the probe. @returns the longest minus the shortest time since the start, in ms @throws when a request failed */
  async stop(): Promise<number> {
    this.worker.postMessage('stop');
    return this.message();
  }

  private message(): Promise<number> {
    const sent = new Promise<number>((resolve) => this.worker.once('message', resolve));
    return Promise.race([sent, this.failed]);
  }
}

async function probe(url: string): Promise<void> {
  const http = new Pool(url, { connections: 1 });
  const ask = async (): Promise<number> => {
    const started = performance.now();
    const { body } = await http.request({ method: 'GET', path: '/health/live' });
    await body.dump();
    return performance.now() - started;
  };
  let stopped = false;
  parentPort?.once('message', () => (stopped = true));
  for (let warm = 0; warm < 50; warm++) await ask();
  parentPort?.postMessage(0);
  let [quickest, longest] = [Infinity, 0];
  while (!stopped) {
    const taken = await ask();
    quickest = Math.min(quickest, taken);
    longest = Math.max(longest, taken);
  }
  parentPort?.postMessage(longest - quickest);
  await http.close();
}

if (!isMainThread) await probe(workerData as string);
