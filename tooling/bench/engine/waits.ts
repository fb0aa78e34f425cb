/** Latencies of the engine in ms, without model and customer. */
export interface Waits {
  /** From the customer's utterance to the request to the model. */
  toRequest: number[];
  /** From the model's first delta to the first frame on the line. */
  toFrame: number[];
}

/**
 * Times of the current turn of a call. Latencies are measured from the due time of a timer: they include delays of
 * the event loop.
 */
export class TurnWatch {
  private promptAt = 0;
  private deltaAt = 0;
  private counts = false;

  constructor(private readonly waits: Waits) {}

  /** Ends the warm-up: later measurements count. */
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
