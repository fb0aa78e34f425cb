import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from './random.js';
import { say } from './fault-run.js';
import type { Cluster } from './cluster.js';

export interface Fault {
  name: string;
  happen(cluster: Cluster, random: Random): Promise<void>;
}

/** kill -9 of one of these processes. */
export const crashOf = (indexes: readonly number[]): Fault => ({
  name: 'kill -9',
  happen: async (cluster, random) => {
    const index = indexes[Math.floor(random() * indexes.length)];
    if (index !== undefined) await cluster.crash(index);
  },
});
export const FLUSH: Fault = { name: 'Redis flushed', happen: ({ databases }) => databases.flushRedis() };
export const REDIS: Fault = { name: 'Redis restarted', happen: ({ databases }) => databases.restartRedis() };
export const POSTGRES_RESTART: Fault = {
  name: 'Postgres restarted',
  happen: ({ databases }) => databases.restartPostgres(),
};
export const POSTGRES_KILL: Fault = {
  name: 'Postgres kill -9',
  happen: ({ databases }) => databases.killPostgres(),
};

const SHORTEST_PAUSE_MS = 300;

/**
 * Causes faults until `work` ends: those of one list in turn, the lists in parallel, each after a pause of up to
 * `pauseMs`. @returns a problem for each fault without an occurrence
 */
export async function underFaults(
  { cluster, random, pauseMs = 2_000 }: { cluster: Cluster; random: Random; pauseMs?: number },
  lists: readonly (readonly Fault[])[],
  work: Promise<unknown>,
): Promise<string[]> {
  const counted = new Map(lists.flat().map(({ name }) => [name, 0]));
  let working = true;
  const repeat = async (faults: readonly Fault[]): Promise<void> => {
    // The pause is at least as long as the last fault, so that the service can work between faults on a slow machine.
    let tookMs = 0;
    for (let turn = 0; working; turn++) {
      await sleep(Math.max(SHORTEST_PAUSE_MS + random() * pauseMs, tookMs));
      const fault = faults[turn % faults.length];
      if (!fault || !working) return;
      counted.set(fault.name, (counted.get(fault.name) ?? 0) + 1);
      const started = Date.now();
      await fault.happen(cluster, random);
      tookMs = Date.now() - started;
    }
  };
  await Promise.all([work.finally(() => (working = false)), ...lists.map(repeat)]);
  say(`faults: ${JSON.stringify(Object.fromEntries(counted))}`);
  return [...counted]
    .filter(([, count]) => count === 0)
    .map(([name]) => `the fault "${name}" never happened`);
}
