import type { Line } from './line.js';

/** Stays silent until the other side, or the carrier's time limit, ends the call. */
export async function silent(line: Line): Promise<void> {
  for (;;) await line.listen();
}
