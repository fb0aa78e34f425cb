import type { SystemTrigger } from './phrases.js';

/** Trigger of the assistant's next turn: an utterance of the customer or of call screening, or silence. */
export type TurnTrigger = 'answer' | SystemTrigger;

/** Whether the callee waits for a response. */
export const requestsResponse = (trigger: TurnTrigger | null): boolean =>
  trigger !== null && trigger !== 'reengage' && trigger !== 'resume';

/** Holds the next trigger, at most one: one response covers the whole conversation so far. */
export class TurnQueue {
  private pending: TurnTrigger | null = null;
  private notify: (() => void) | null = null;
  private closed = false;

  /** Whether the customer waits for a response. */
  get awaitsResponse(): boolean {
    return requestsResponse(this.pending);
  }

  /** An utterance replaces an inactivity prompt. */
  enqueueTurn(trigger: TurnTrigger): void {
    if (this.awaitsResponse && !requestsResponse(trigger)) return;
    this.pending = trigger;
    this.notify?.();
  }

  /** The response in progress covers the conversation so far. */
  clearRequestedTurn(): void {
    if (this.awaitsResponse) this.pending = null;
  }

  close(): void {
    this.closed = true;
    this.notify?.();
  }

  /** @returns null when the queue is closed. */
  async next(): Promise<TurnTrigger | null> {
    while (!this.closed && this.pending === null) {
      await new Promise<void>((resolve) => (this.notify = resolve));
    }
    const trigger = this.closed ? null : this.pending;
    this.pending = null;
    return trigger;
  }

  /**
   * Called where the turn begins: words of the customer since its trigger was taken replace it.
   *
   * @param due the taken trigger, which stays where newer words were withdrawn
   */
  newestTrigger(due: TurnTrigger): TurnTrigger {
    const newest = this.awaitsResponse && this.pending ? this.pending : due;
    this.pending = null;
    return newest;
  }
}
