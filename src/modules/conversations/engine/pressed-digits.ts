/** Shorter runs of digits are quantities and choices of a menu. */
const SECRET_DIGITS = 3;
const MASK = '****';
/** Digits with what people write between them. */
const RUN = /\d(?:[\s.,/()-]*\d)*/g;

/**
 * The keys of a call: they may be a card's number or a PIN, and are for the model and its tools, not for the record.
 */
export class PressedDigits {
  private readonly inputs: string[] = [];

  /** @param keys as they were sent to the model; what is no digit is left out */
  add(keys: string): void {
    const digits = keys.replace(/\D/g, '');
    if (digits !== '') this.inputs.push(digits);
  }

  /** Arguments of a tool as they are stored: runs of digits that were pressed, also in several inputs, are hidden. */
  masked(args: Record<string, unknown> | null): Record<string, unknown> | null {
    if (args === null || this.inputs.length === 0) return args;
    return this.mask(args) as Record<string, unknown>;
  }

  private mask(value: unknown): unknown {
    if (typeof value === 'string') return value.replace(RUN, (run) => (this.wasPressed(run) ? MASK : run));
    if (typeof value === 'number') return this.wasPressed(String(value)) ? MASK : value;
    if (Array.isArray(value)) return value.map((one) => this.mask(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.mask(one)]));
  }

  private wasPressed(run: string): boolean {
    const digits = run.replace(/\D/g, '');
    if (this.inputs.includes(digits) && digits.length > 1) return true;
    if (digits.length < SECRET_DIGITS) return false;
    if (this.inputs.join('').includes(digits)) return true;
    return this.inputs.some((input) => input.length >= SECRET_DIGITS && digits.includes(input));
  }
}
