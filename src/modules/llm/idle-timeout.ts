/** Aborts an operation after a timeout or when the caller's signal aborts. */
export class IdleTimeout {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private hasExpired = false;

  constructor(
    private readonly timeoutMs: number,
    private readonly callerSignal: AbortSignal,
  ) {
    if (callerSignal.aborted) this.controller.abort();
    callerSignal.addEventListener('abort', this.abort, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Whether the timeout ended the wait, not the caller. */
  get expired(): boolean {
    return this.hasExpired;
  }

  /** @param timeoutMs of this wait, where it differs */
  start(timeoutMs = this.timeoutMs): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.hasExpired = true;
      this.controller.abort();
    }, timeoutMs);
  }

  pause(): void {
    clearTimeout(this.timer);
  }

  /** Ends the wait and aborts the operation. */
  stop(): void {
    clearTimeout(this.timer);
    this.callerSignal.removeEventListener('abort', this.abort);
    this.controller.abort();
  }

  private readonly abort = (): void => this.controller.abort();
}
