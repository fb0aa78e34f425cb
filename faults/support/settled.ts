import { setTimeout as sleep } from 'node:timers/promises';

const SHOWN = 10;

/** Waits until nothing is under way any more, at most so long. @returns what still is */
export async function leftAfter(underWay: () => Promise<string[]>, ms: number): Promise<string[]> {
  for (const started = Date.now(); ; await sleep(1_000)) {
    // The database may be away just then.
    const waiting = await underWay().catch((error: unknown) => [String(error)]);
    if (waiting.length === 0 || Date.now() - started >= ms) return waiting;
  }
}

/** Ends when nothing is under way any more. @throws when that takes longer than `patienceMs` */
export async function settled(underWay: () => Promise<string[]>, patienceMs: number): Promise<void> {
  const waiting = await leftAfter(underWay, patienceMs);
  if (waiting.length === 0) return;
  const first = waiting.slice(0, SHOWN).join('\n');
  throw new Error(`after ${patienceMs / 1000} s ${waiting.length} things are under way:\n${first}`);
}
