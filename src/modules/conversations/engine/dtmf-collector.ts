import type { Clock } from './clock.js';

/** After this pause, or a `#`, the input is complete. */
const PAUSE_MS = 1500;

/** `record` hides the keys: they may be a card's number, and are for the model and its tools only. */
export interface PressedKeys {
  text: string;
  record: string;
}

/** Joins pressed keys into one input of the customer. */
export class DtmfCollector {
  private pressed = '';
  private cancel: () => void = () => undefined;

  constructor(
    private readonly clock: Clock,
    private readonly done: (keys: PressedKeys) => void,
  ) {}

  push(digit: string): void {
    this.cancel();
    this.pressed += digit;
    if (digit === '#') this.finish();
    else this.cancel = this.clock.setTimeout(() => this.finish(), PAUSE_MS);
  }

  /** Passes on what was pressed until now. */
  flush(): void {
    this.cancel();
    if (this.pressed !== '') this.finish();
  }

  private finish(): void {
    this.cancel();
    const digits = this.pressed;
    this.pressed = '';
    this.done({ text: `[keys pressed: ${digits}]`, record: '[keys pressed: ****]' });
  }
}
