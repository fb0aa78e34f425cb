/** Aborts an operation after a time limit or when the caller's signal aborts. */
export class IdleTimeout {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private exhausted = false;

  constructor(
    private readonly limitMs: number,
    private readonly outer: AbortSignal,
  ) {
    if (outer.aborted) this.controller.abort();
    outer.addEventListener('abort', this.abort, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Whether it was the limit that ended the wait, not the caller. */
  get expired(): boolean {
    return this.exhausted;
  }

  /** @param limitMs where another limit counts for this wait */
  begin(limitMs = this.limitMs): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.exhausted = true;
      this.controller.abort();
    }, limitMs);
  }

  pause(): void {
    clearTimeout(this.timer);
  }

  /** Ends the wait for good, and whatever still runs with it. */
  end(): void {
    clearTimeout(this.timer);
    this.outer.removeEventListener('abort', this.abort);
    this.controller.abort();
  }

  private readonly abort = (): void => this.controller.abort();
}
