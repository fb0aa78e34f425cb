import { OutboundFailure } from './outbound-failure.js';

/** One time limit and, optionally, the caller's own signal, joined into a signal that says which of them fired. */
export class Deadline {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly giveUp = () => this.controller.abort(new OutboundFailure('aborted'));

  constructor(
    timeoutMs: number,
    private readonly outer?: AbortSignal,
  ) {
    this.timer = setTimeout(() => this.controller.abort(new OutboundFailure('timeout')), timeoutMs);
    if (outer?.aborted) this.giveUp();
    outer?.addEventListener('abort', this.giveUp);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /**
   * The work's result, or a rejection as soon as the signal fires. Needed beside the signal: undici lets a
   * request that still waits for its connection notice an abort only when that connection stands or fails.
   */
  race<T>(work: Promise<T>): Promise<T> {
    const fired = new Promise<never>((_resolve, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason));
    });
    return Promise.race([work, fired]);
  }

  clear(): void {
    clearTimeout(this.timer);
    this.outer?.removeEventListener('abort', this.giveUp);
  }
}
