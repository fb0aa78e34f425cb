import type { Nudge } from './phrases.js';

/** Why the assistant speaks next: an utterance of the customer or of call screening, or silence. */
export type Cue = 'answer' | Nudge;

/** Whether somebody waits for an answer. */
export const answers = (cue: Cue | null): boolean => cue !== null && cue !== 'reengage' && cue !== 'resume';

/** Holds the next cue. There is at most one: one answer covers everything that was said. */
export class TurnQueue {
  private pending: Cue | null = null;
  private wake: (() => void) | null = null;
  private closed = false;

  /** Whether the customer waits for an answer. */
  get awaitsAnswer(): boolean {
    return answers(this.pending);
  }

  /** An utterance replaces an inactivity prompt. */
  enqueueTurn(cue: Cue): void {
    if (this.awaitsAnswer && !answers(cue)) return;
    this.pending = cue;
    this.wake?.();
  }

  /** The answer in progress covers everything that was said so far. */
  answered(): void {
    if (this.awaitsAnswer) this.pending = null;
  }

  close(): void {
    this.closed = true;
    this.wake?.();
  }

  /** @returns null when the queue is closed. */
  async next(): Promise<Cue | null> {
    while (!this.closed && this.pending === null) {
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    const cue = this.closed ? null : this.pending;
    this.pending = null;
    return cue;
  }
}
