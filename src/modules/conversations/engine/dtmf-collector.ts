import type { Clock } from './clock.js';

/** After this pause, or a `#`, the input is complete. */
const PAUSE_MS = 1500;

/** Joins pressed keys into one input of the customer. */
export class DtmfCollector {
  private pressed = '';
  private cancel: () => void = () => undefined;

  constructor(
    private readonly clock: Clock,
    private readonly done: (digits: string) => void,
  ) {}

  push(digit: string): void {
    this.cancel();
    this.pressed += digit;
    if (digit === '#') this.finish();
    else this.cancel = this.clock.setTimeout(() => this.finish(), PAUSE_MS);
  }

  stop(): void {
    this.cancel();
    this.pressed = '';
  }

  private finish(): void {
    const digits = this.pressed;
    this.pressed = '';
    this.done(digits);
  }
}
