import { setImmediate } from 'node:timers/promises';

/** Milliseconds that a piece of bulk work may take before it waits for its next turn. */
export const BULK_TURN_MS = 1;

let last: Promise<void> = Promise.resolve();

/**
 * Waits for the next turn of bulk work (imports, long lists). The process gives one turn for each round of its event
 * loop, in order, so that short requests wait for one piece of bulk work at most, however much is running.
 */
export function nextBulkTurn(): Promise<void> {
  last = last.then(() => setImmediate());
  return last;
}
