import { FRAME_MS } from './audio-frames.js';

/** A fifth of the senders sends 20 ms frames every 4 ms, like calls with different start times. */
const GROUPS = 5;
const STEP_MS = FRAME_MS / GROUPS;

/** Maximum number of late steps that are sent at once; a longer delay drops frames. */
const MOST_AT_ONCE = 2 * GROUPS;

/** Makes every sender send a frame each 20 ms. */
export class Pacer {
  private readonly groups: (() => void)[][] = Array.from({ length: GROUPS }, () => []);
  private readonly timer: NodeJS.Timeout;
  private readonly startedAt = performance.now();
  private steps = 0;
  private added = 0;

  constructor() {
    this.timer = setInterval(() => this.catchUp(), STEP_MS);
  }

  add(send: () => void): void {
    this.groups[this.added++ % GROUPS]?.push(send);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private catchUp(): void {
    const due = Math.floor((performance.now() - this.startedAt) / STEP_MS);
    this.steps = Math.max(this.steps, due - MOST_AT_ONCE);
    for (; this.steps < due; this.steps++) {
      for (const send of this.groups[this.steps % GROUPS] ?? []) send();
    }
  }
}
