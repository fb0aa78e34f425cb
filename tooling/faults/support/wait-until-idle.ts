import { setTimeout as sleep } from 'node:timers/promises';

const SHOWN = 10;

/** Waits at most `ms` until no work is pending. @returns the work that is still pending */
export async function waitAtMost(underWay: () => Promise<string[]>, ms: number): Promise<string[]> {
  for (const started = Date.now(); ; await sleep(1_000)) {
    // The database may be down.
    const waiting = await underWay().catch((error: unknown) => [String(error)]);
    if (waiting.length === 0 || Date.now() - started >= ms) return waiting;
  }
}

/** Waits until no work is pending. @throws after `timeoutMs` */
export async function waitUntilIdle(underWay: () => Promise<string[]>, timeoutMs: number): Promise<void> {
  const waiting = await waitAtMost(underWay, timeoutMs);
  if (waiting.length === 0) return;
  const first = waiting.slice(0, SHOWN).join('\n');
  throw new Error(`after ${timeoutMs / 1000} s ${waiting.length} items are pending:\n${first}`);
}
