export const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Whether the run gets a planted defect. */
export const isBroken = (args: readonly string[]): boolean => args.includes('--broken');

/** The value of `--name`; null without the option. */
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
