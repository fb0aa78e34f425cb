import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Arrival, ReceiversOrder } from './receivers.js';

/** The process of the receivers. */
export interface Receivers {
  /** URLs, one per receiver. */
  urls: string[];
  tell(order: ReceiversOrder): void;
  /** Waits for `count` requests since the previous call. @returns all of them */
  take(count: number, timeoutMs: number): Promise<Arrival[]>;
  stop(): Promise<void>;
}

export async function startReceivers(): Promise<Receivers> {
  const child = fork(fileURLToPath(new URL('./receivers.js', import.meta.url)), { stdio: 'inherit' });
  const exited = once(child, 'exit');
  const [{ ports }] = (await once(child, 'message')) as [{ ports: number[] }];
  let arrivals: Arrival[] = [];
  let heard: (() => void) | null = null;
  child.on('message', (message: { arrivals: Arrival[] }) => {
    arrivals.push(...message.arrivals);
    heard?.();
  });
  return {
    urls: ports.map((port) => `http://127.0.0.1:${port}/hook`),
    tell: (order) => void child.send(order),
    take: async (count, timeoutMs) => {
      const deadline = Date.now() + timeoutMs;
      while (arrivals.length < count && Date.now() < deadline) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, deadline - Date.now());
          heard = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      const taken = arrivals;
      arrivals = [];
      if (taken.length < count) throw new Error(`${taken.length} of ${count} deliveries came in time`);
      return taken;
    },
    stop: async () => {
      child.disconnect();
      await exited;
    },
  };
}
