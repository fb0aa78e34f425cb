/** Maximum wait, after a call's end, for the transcripts of what the customer said before. */
const MAX_WAIT_MS = 3_000;

/** Bounds the wait for the customer's last words after a session over audio has closed. */
export class LastWords {
  /** Resolves when the words are received, or the wait is over. */
  readonly received: Promise<void>;
  private resolve: () => void = () => undefined;
  private cancel: () => void = () => undefined;
  private isOver = false;

  /** @param onOver called once, when no more words are waited for */
  constructor(private readonly onOver: () => void) {
    this.received = new Promise((resolve) => (this.resolve = resolve));
  }

  /** @param startTimer returns a function that cancels it */
  start(startTimer: (task: () => void, ms: number) => () => void): void {
    if (!this.isOver) this.cancel = startTimer(() => this.end(), MAX_WAIT_MS);
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.cancel();
    this.onOver();
    this.resolve();
  }
}
