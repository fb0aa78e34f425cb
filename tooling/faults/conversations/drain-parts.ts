import { say } from '../support/run-options.js';
import { callsInOneProcess, KILL_CALLEES, onCluster, type PartOptions } from './conversation-parts.js';
import type { Placed } from './conversation-customer.js';
import type { ObservedCall } from '../verifiers/conversations.js';

/** Longer than any of the calls, and shorter than most of them. */
const ENOUGH_SECONDS = 60;
const FEW_SECONDS = 5;

/** SIGTERM of the only process: its calls end by themselves; with a short timeout the next start resumes the rest. */
export const drain = async (options: PartOptions): Promise<string[]> => [
  ...(await drained(options, ENOUGH_SECONDS, endedByThemselves)),
  // The pause contains the start of the service: it is printed, not checked.
  ...(await drained(options, FEW_SECONDS, () => [])),
];

function drained(
  options: PartOptions,
  seconds: number,
  verify: (calls: readonly ObservedCall[]) => string[],
): Promise<string[]> {
  const env = { DRAIN_SECONDS: String(seconds) };
  const setting = seconds === FEW_SECONDS ? { env, verify, rules: { maxSilenceMs: null } } : { env, verify };
  return onCluster(options, setting, async (bench): Promise<Placed[]> => {
    const calls = await callsInOneProcess(options, bench, KILL_CALLEES, 'fine');
    const running = await bench.observer.talking(calls);
    const ms = await bench.cluster.terminate(0);
    const left = await bench.observer.talking(calls);
    say(
      `DRAIN_SECONDS=${seconds}: ended after ${(ms / 1000).toFixed(1)} s; of ${running} calls ${left} were left`,
    );
    const from = Date.now();
    await bench.cluster.startAgain(0);
    say(`the service was back after ${((Date.now() - from) / 1000).toFixed(1)} s`);
    return calls;
  });
}

/** No socket broke. */
const endedByThemselves = (calls: readonly ObservedCall[]): string[] =>
  calls
    .filter(({ socketLostAt }) => socketLostAt.length > 0)
    .map(({ id, name }) => `call ${id} (${name}): its socket broke, it did not end in its process`);
