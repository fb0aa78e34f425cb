import { randomInt } from 'node:crypto';

/** Mulberry32: uniform in [0, 1), reproducible by seed. */
export type Random = () => number;

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `--seed N`, else a new seed; printed, so that the run can be repeated. */
export function seedOf(args: string[]): number {
  const at = args.indexOf('--seed');
  const seed = at >= 0 ? Number(args[at + 1]) : randomInt(2 ** 31);
  if (!Number.isInteger(seed)) throw new Error('--seed needs an integer');
  process.stdout.write(`seed ${seed}\n`);
  return seed;
}

/** A random name, by weight. */
export function pick<K extends string>(random: Random, weights: Record<K, number>): K {
  const entries = Object.entries<number>(weights) as [K, number][];
  let left = random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [name, weight] of entries) {
    left -= weight;
    if (left < 0) return name;
  }
  throw new Error('there is nothing to pick from');
}
