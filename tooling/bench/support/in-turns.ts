import { ROUNDS } from './pace.js';
import { median } from './stats.js';

/**
 * Warms up all sides for `warmRounds`, then measures them alternately for `rounds`: code is compiled during the first
 * rounds, and a side with more code is slow for longer. @returns the medians
 */
export async function inTurns<Side extends string>(
  sides: Record<Side, () => Promise<number>>,
  warmRounds = 1,
  rounds = ROUNDS,
): Promise<Record<Side, number>> {
  const names = Object.keys(sides) as Side[];
  for (let round = 0; round < warmRounds; round++) for (const name of names) await sides[name]();
  const taken = new Map<Side, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) taken.get(name)?.push(await sides[name]());
  }
  return Object.fromEntries([...taken].map(([name, values]) => [name, median(values)])) as Record<
    Side,
    number
  >;
}
