/** What the engine took for its part of the turns, in ms; the model's and the customer's time is not in it. */
export interface Waits {
  /** From the customer's words to the request to the model. */
  toRequest: number[];
  /** From the model's first delta to the first frame on the line. */
  toFrame: number[];
}

/**
 * The moments of one call's turn. What begins a wait is when it was due, not when the event loop came to it: a loop
 * that is late counts.
 */
export class TurnWatch {
  private promptAt = 0;
  private deltaAt = 0;
  private counts = false;

  constructor(private readonly waits: Waits) {}

  /** From now on what is measured counts. */
  begin(): void {
    this.counts = true;
  }

  /** @param at as `performance.now()` */
  prompted(at: number): void {
    this.promptAt = at;
  }

  asked(): void {
    if (this.counts) this.waits.toRequest.push(performance.now() - this.promptAt);
  }

  /** @param at as `performance.now()` */
  firstDelta(at: number): void {
    this.deltaAt = at;
  }

  firstFrame(): void {
    if (this.counts) this.waits.toFrame.push(performance.now() - this.deltaAt);
  }
}
