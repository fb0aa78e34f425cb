import type { Worker } from 'node:cluster';
import { AggregatorRegistry } from 'prom-client';

/*
 * Of several processes behind one port, whichever gets a request for the metrics answers with those of all: it asks the
 * primary process, which asks each worker.
 */

const ASK = 'metrics-of-workers:ask';
const TELL = 'metrics-of-workers:tell';

interface Ask {
  type: typeof ASK;
  id: number;
}

interface Tell {
  type: typeof TELL;
  id: number;
  /** Null: a process did not tell its own within 5 s. */
  text: string | null;
}

/** In the primary process: answers a worker that asks. */
export function tellMetricsTo(worker: Worker): void {
  const all = new AggregatorRegistry();
  worker.on('message', async ({ type, id }: Ask) => {
    if (type !== ASK) return;
    const text = await all.clusterMetrics().catch(() => null);
    if (worker.isConnected()) worker.send({ type: TELL, id, text } satisfies Tell);
  });
}

let asked = 0;

/** In a worker process. @throws when one of the processes does not tell its own metrics in time */
export function metricsOfWorkers(): Promise<string> {
  const id = ++asked;
  return new Promise((resolve, reject) => {
    const read = ({ type, id: told, text }: Tell): void => {
      if (type !== TELL || told !== id) return;
      process.off('message', read);
      if (text === null) reject(new Error('A process did not tell its metrics'));
      else resolve(text);
    };
    process.on('message', read);
    process.send?.({ type: ASK, id } satisfies Ask);
  });
}
