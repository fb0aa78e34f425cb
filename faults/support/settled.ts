import { setTimeout as sleep } from 'node:timers/promises';

const SHOWN = 10;

/** Ends when nothing is under way any more. @throws when that takes longer than `patienceMs` */
export async function settled(underWay: () => Promise<string[]>, patienceMs: number): Promise<void> {
  for (const started = Date.now(); ; await sleep(1_000)) {
    // The database may be away just then.
    const waiting = await underWay().catch((error: unknown) => [String(error)]);
    if (waiting.length === 0) return;
    if (Date.now() - started < patienceMs) continue;
    const first = waiting.slice(0, SHOWN).join('\n');
    throw new Error(`after ${patienceMs / 1000} s ${waiting.length} things are under way:\n${first}`);
  }
}
