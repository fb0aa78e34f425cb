import type { Nudge } from './phrases.js';

/** Why the assistant is to speak: the customer said something, or nobody did. */
export type Cue = 'answer' | Nudge;

/** The cue that waits to be taken up. There is never more than one: one answer serves all that was said. */
export class TurnQueue {
  private pending: Cue | null = null;
  private wake: (() => void) | null = null;
  private closed = false;

  /** The customer's words go before a nudge. */
  enqueueTurn(cue: Cue): void {
    if (this.pending === 'answer') return;
    this.pending = cue;
    this.wake?.();
  }

  /** An answer that is being made knows everything that was said until now. */
  answered(): void {
    if (this.pending === 'answer') this.pending = null;
  }

  close(): void {
    this.closed = true;
    this.wake?.();
  }

  /** @returns null when there will be no more. */
  async next(): Promise<Cue | null> {
    while (!this.closed && this.pending === null) {
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    const cue = this.closed ? null : this.pending;
    this.pending = null;
    return cue;
  }
}
