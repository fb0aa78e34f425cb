import { seeded, seedOf, type Random } from './random.js';

export interface RunOptions {
  random: Random;
  /** Name of the planted defect; null without one. */
  broken: string | null;
}

export const say = (text: string): void => void process.stdout.write(`${text}\n`);

const SHOWN = 20;

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
