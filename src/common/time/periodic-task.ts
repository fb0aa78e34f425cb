/** Runs a pass at a fixed interval, never two at once: a pass that takes longer leaves out the next ones. */
export class PeriodicTask {
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;

  /** @param failed gets the error of a pass; the next pass runs in any case */
  constructor(
    private readonly everyMs: number,
    private readonly pass: (stopping: AbortSignal) => Promise<void>,
    private readonly failed: (error: unknown) => void = () => undefined,
  ) {}

  /** The first pass is run after one interval, or with `immediately` now. */
  start({ immediately = false } = {}): this {
    if (immediately) this.run();
    this.timer ??= setInterval(() => this.run(), this.everyMs).unref();
    return this;
  }

  /** Ends when the running pass has ended; a pass of many steps looks at its signal between them. */
  async stop(): Promise<void> {
    this.stopping.abort();
    if (this.timer) clearInterval(this.timer);
    await this.running;
  }

  private run(): void {
    if (this.running || this.stopping.signal.aborted) return;
    this.running = this.pass(this.stopping.signal)
      .catch(this.failed)
      .finally(() => (this.running = null));
  }
}
