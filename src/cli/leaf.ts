import type { Command } from 'commander';
import { printReport, type Report } from './output.js';

export interface LeafHelp {
  does: string;
  /** What stands behind `npm run cli --`. */
  examples: string[];
}

/** A command that does something: with `--json`, and with examples in its help. */
export function leaf(parent: Command, usage: string, { does, examples }: LeafHelp): Command {
  const lines = examples.map((example) => `  npm run cli -- ${example}`);
  return parent
    .command(usage)
    .description(does)
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

/** The action of a leaf: prints what the work reports. */
export function printing<Arguments extends unknown[]>(work: (...args: Arguments) => Promise<Report>) {
  return async function action(this: Command, ...args: Arguments): Promise<void> {
    printReport(await work(...args), this.opts<{ json?: boolean }>().json ?? false);
  };
}
