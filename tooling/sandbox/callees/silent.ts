import type { Line } from './line.js';

/** Holds the phone without a word until the other side, or the carrier's time limit, ends the call. */
export async function silent(line: Line): Promise<void> {
  for (;;) await line.listen();
}
