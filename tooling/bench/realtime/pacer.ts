import { FRAME_MS } from './audio-frames.js';

/** Frames of 20 ms are sent by a fifth of the senders every 4 ms, as calls that began at different times do. */
const GROUPS = 5;
const STEP_MS = FRAME_MS / GROUPS;

/** Steps that are made up for at once; a process that is busy for longer leaves frames out. */
const MOST_AT_ONCE = 2 * GROUPS;

/** Has every sender send a frame each 20 ms. */
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
