import { seedOf } from './random.js';

export interface RunOptions {
  seed: number;
  /** The run has to notice a defect that was planted for it. */
  broken: boolean;
}

export const say = (text: string): void => void process.stdout.write(`${text}\n`);

export const runOptions = (args: string[]): RunOptions => ({
  seed: seedOf(args),
  broken: args.includes('--broken'),
});

/** The text behind `--name`; null when it is not given. */
export function textOption(args: readonly string[], name: string): string | null {
  const at = args.indexOf(name);
  return at >= 0 ? (args[at + 1] ?? '') : null;
}

export function numberOption(args: readonly string[], name: string, otherwise: number): number {
  const text = textOption(args, name);
  if (text === null) return otherwise;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${name} needs a positive integer`);
  return value;
}
