/**
 * Sends cheap requests continuously: the longest response time shows how long the server's event loop was blocked.
 * Runs in a separate thread, so that the benchmark's work does not delay it. On a busy machine both threads also wait
 * for a processor; the kernel reports that time.
 */
import { readFileSync } from 'node:fs';
import { parentPort, Worker, workerData, isMainThread } from 'node:worker_threads';
import { Pool } from 'undici';
import type { ServiceProcess } from '../../harness/server-process.js';

/** In ms, each the longest minus the shortest since the start. */
export interface Blocked {
  /** Of the response times. */
  answer: number;
  /** The same without the time in which the server's main thread or the probe waited for a processor. */
  work: number;
}

export class LoopProbe {
  /** Rejects when a request failed, for example because the server was stopped. */
  private readonly failed: Promise<never>;

  private constructor(private readonly worker: Worker) {
    this.failed = new Promise((_, reject) => worker.once('error', reject));
    this.failed.catch(() => undefined);
  }

  static async start(server: Pick<ServiceProcess, 'url' | 'pid'>): Promise<LoopProbe> {
    const { url, pid } = server;
    const started = new LoopProbe(new Worker(new URL(import.meta.url), { workerData: { url, pid } }));
    await started.message();
    return started;
  }

  /** Ends the probe. @throws when a request failed */
  async stop(): Promise<Blocked> {
    this.worker.postMessage('stop');
    return this.message();
  }

  private message(): Promise<Blocked> {
    const sent = new Promise<Blocked>((resolve) => this.worker.once('message', resolve));
    return Promise.race([sent, this.failed]);
  }
}

async function probe({ url, pid }: Pick<ServiceProcess, 'url' | 'pid'>): Promise<void> {
  const http = new Pool(url, { connections: 1 });
  const ask = async (): Promise<Blocked> => {
    const waitedBefore = waitedMs(`${pid}/task/${pid}`) + waitedMs('thread-self');
    const started = performance.now();
    const { body } = await http.request({ method: 'GET', path: '/health/live' });
    await body.dump();
    const answer = performance.now() - started;
    const waited = waitedMs(`${pid}/task/${pid}`) + waitedMs('thread-self') - waitedBefore;
    return { answer, work: Math.max(0, answer - waited) };
  };
  let stopped = false;
  parentPort?.once('message', () => (stopped = true));
  for (let warm = 0; warm < 50; warm++) await ask();
  parentPort?.postMessage(null);
  const taken: Blocked[] = [];
  while (!stopped) taken.push(await ask());
  parentPort?.postMessage({ answer: span(taken, 'answer'), work: span(taken, 'work') });
  await http.close();
}

const span = (taken: readonly Blocked[], field: keyof Blocked): number => {
  // Not as arguments: in some minutes there are more than a call takes.
  const [shortest, longest] = taken.reduce(
    ([least, most], { [field]: time }) => [Math.min(least, time), Math.max(most, time)],
    [Infinity, -Infinity],
  );
  return longest - shortest;
};

/** Time for which a runnable thread waited for a processor. */
const waitedMs = (thread: string): number =>
  Number(readFileSync(`/proc/${thread}/schedstat`, 'utf8').split(' ')[1]) / 1e6;

if (!isMainThread) await probe(workerData as Pick<ServiceProcess, 'url' | 'pid'>);
