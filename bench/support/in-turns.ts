import { ROUNDS } from './pace.js';
import { median } from './stats.js';

interface Sides {
  peer: () => Promise<number>;
  own: () => Promise<number>;
}

/** Warms up both sides, then measures them alternately. @returns the medians */
export async function inTurns({ peer, own }: Sides, rounds = ROUNDS): Promise<{ peer: number; own: number }> {
  await peer();
  await own();
  const taken = { peer: [] as number[], own: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    taken.peer.push(await peer());
    taken.own.push(await own());
  }
  return { peer: median(taken.peer), own: median(taken.own) };
}
