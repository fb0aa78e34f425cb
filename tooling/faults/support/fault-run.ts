import { Cluster, type ClusterOptions } from './cluster.js';
import { seeded, seedOf, type Random } from './random.js';

export interface RunOptions {
  random: Random;
  /** Name of the planted defect; null without one. */
  broken: string | null;
}

export const say = (text: string): void => void process.stdout.write(`${text}\n`);

const SHOWN = 20;
/** Last lines of the log about problems that are shown when a run breaks off. */
const LOG_LINES = 40;

/**
 * Runs `work`, which resolves to a list of problems. Fails when there are problems; with `--broken`, when there are
 * none. An error that `work` throws fails the run in both cases.
 */
export async function faultRun(
  args: string[],
  variants: readonly string[],
  work: (options: RunOptions) => Promise<string[]>,
): Promise<void> {
  const at = args.indexOf('--broken');
  const broken = at < 0 ? null : (args[at + 1] ?? '');
  if (broken !== null && !variants.includes(broken)) {
    throw new Error(`--broken needs one of: ${variants.join(', ')}`);
  }
  const started = performance.now();
  const wrong = await work({ random: seeded(seedOf(args)), broken });
  say(`took ${Math.round((performance.now() - started) / 1000)} s`);
  const told = `${wrong.length} wrong:\n${wrong.slice(0, SHOWN).join('\n')}`;
  if (broken === null && wrong.length > 0) throw new Error(told);
  if (broken !== null && wrong.length === 0) throw new Error(`the variant "${broken}" was not noticed`);
  say(broken === null ? 'passed' : `caught: ${told}`);
}

/** Runs `work` on a cluster of its own, which is stopped in the end, with queries of its database. */
export async function withCluster<Queries extends { close(): Promise<unknown> }>(
  options: ClusterOptions,
  queriesOf: (postgresUrl: string) => Queries,
  work: (cluster: Cluster, queries: Queries) => Promise<string[]>,
): Promise<string[]> {
  const cluster = await Cluster.start(options);
  const queries = queriesOf(cluster.databases.postgresUrl);
  try {
    return await work(cluster, queries);
  } catch (error) {
    process.stderr.write(`${cluster.logProblems().slice(-LOG_LINES).join('\n')}\n`);
    throw error;
  } finally {
    await queries.close();
    await cluster.stop();
  }
}
