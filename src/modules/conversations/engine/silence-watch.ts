import type { Clock } from './clock.js';

export interface SilenceLimits {
  reengageMs: number;
  maxMs: number;
}

/**
 * Measures how long the customer has been silent. The timer is paused while the assistant speaks or prepares an
 * answer and while a tool runs.
 */
export class SilenceWatch {
  private silentMs = 0;
  private reengagedAtMs = 0;
  private runningSince: number | null = null;
  private cancel: () => void = () => undefined;

  constructor(
    private readonly clock: Clock,
    private readonly limits: SilenceLimits,
    private readonly on: { reengage(): void; tooLong(): void },
  ) {}

  /** The customer did something. */
  reset(): void {
    this.silentMs = 0;
    this.reengagedAtMs = 0;
    if (this.runningSince !== null) {
      this.runningSince = this.clock.now();
      this.arm();
    }
  }

  /** Whether it is the customer's turn. */
  run(running: boolean): void {
    if (running === (this.runningSince !== null)) return;
    if (running) {
      this.runningSince = this.clock.now();
      this.arm();
    } else {
      this.silentMs = this.total();
      this.runningSince = null;
      this.cancel();
    }
  }

  private arm(): void {
    this.cancel();
    const next = Math.min(this.limits.maxMs, this.reengagedAtMs + this.limits.reengageMs);
    this.cancel = this.clock.setTimeout(() => this.fire(), Math.max(0, next - this.total()));
  }

  private fire(): void {
    const silent = this.total();
    if (silent >= this.limits.maxMs) return this.on.tooLong();
    this.reengagedAtMs = silent;
    this.arm();
    this.on.reengage();
  }

  private total(): number {
    return this.silentMs + (this.runningSince === null ? 0 : this.clock.now() - this.runningSince);
  }
}
