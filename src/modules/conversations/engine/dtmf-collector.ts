import type { Clock } from './clock.js';

/** Pause that completes an input, as `#` does. */
const PAUSE_MS = 1500;

/** `record` masks the keys, which may be a card number: only the model and its tools get them. */
export interface DtmfInput {
  text: string;
  record: string;
}

/** Joins pressed keys into one input of the customer. */
export class DtmfCollector {
  private pressed = '';
  private cancel: () => void = () => undefined;

  constructor(
    private readonly clock: Clock,
    private readonly onInput: (keys: DtmfInput) => void,
  ) {}

  push(digit: string): void {
    this.cancel();
    this.pressed += digit;
    if (digit === '#') this.finish();
    else this.cancel = this.clock.setTimeout(() => this.finish(), PAUSE_MS);
  }

  /** Completes the input at once. */
  flush(): void {
    this.cancel();
    if (this.pressed !== '') this.finish();
  }

  private finish(): void {
    this.cancel();
    const digits = this.pressed;
    this.pressed = '';
    this.onInput({ text: `[keys pressed: ${digits}]`, record: '[keys pressed: ****]' });
  }
}
