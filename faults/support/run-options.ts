export const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Whether the run has to notice a defect that was planted for it. */
export const isBroken = (args: readonly string[]): boolean => args.includes('--broken');

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
