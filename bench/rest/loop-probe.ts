/**
 * Asks a server for next to nothing, again and again: the longest answer tells how long its event loop was blocked. In a
 * thread of its own, so that what the benchmark itself reads meanwhile does not count.
 */
import { parentPort, Worker, workerData, isMainThread } from 'node:worker_threads';
import { Pool } from 'undici';

export class LoopProbe {
  private constructor(private readonly worker: Worker) {}

  static async start(url: string): Promise<LoopProbe> {
    const started = new LoopProbe(new Worker(new URL(import.meta.url), { workerData: url }));
    await started.message();
    return started;
  }

  /** Ends the probe. @returns the longest answer since the start, in ms, less the quickest */
  async stop(): Promise<number> {
    this.worker.postMessage('stop');
    return this.message();
  }

  private message(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.worker.once('message', resolve);
      this.worker.once('error', reject);
    });
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
