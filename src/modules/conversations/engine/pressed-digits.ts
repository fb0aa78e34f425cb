/** Minimum length of a secret; shorter runs of digits are quantities and choices of a menu. */
const SECRET_DIGITS = 3;
const MASK = '****';
/** Words of each digit, as machines read keys back: in the languages whose numbers speech spells out. */
const DIGIT_WORDS = [
  'zero|oh|null|cero|zéro|nul',
  'one|eins|uno|un|um|een|één',
  'two|zwei|zwo|dos|deux|due|dois|twee',
  'three|drei|tres|trois|tre|três|drie',
  'four|vier|cuatro|quatre|quattro|quatro',
  'five|fünf|cinco|cinq|cinque|vijf',
  'six|sechs|seis|sei|zes',
  'seven|sieben|siete|sept|sette|sete|zeven',
  'eight|acht|ocho|huit|otto|oito',
  'nine|neun|nueve|neuf|nove|negen',
];
const DIGIT_OF = new Map(
  DIGIT_WORDS.flatMap((words, digit) => words.split('|').map((word) => [word, digit])),
);
const DIGIT = String.raw`(?:\d|(?<!\p{L})(?:${DIGIT_WORDS.join('|')})(?!\p{L}))`;
/** Digits, also as words, with usual separators. */
const DIGIT_RUN = new RegExp(String.raw`${DIGIT}(?:[\s.,/()-]*${DIGIT})*`, 'giu');

const digitsOf = (run: string): string =>
  run.replace(/\p{L}+/gu, (word) => String(DIGIT_OF.get(word.toLowerCase()))).replace(/\D/g, '');

/**
 * The keys of a call, which may be a card number or a PIN: the model and its tools get them, the record does not.
 */
export class PressedDigits {
  private readonly inputs: string[] = [];

  /** @param keys as sent to the model; other characters than digits are ignored */
  add(keys: string): void {
    const digits = keys.replace(/\D/g, '');
    if (digits !== '') this.inputs.push(digits);
  }

  /** Arguments of a tool for the record: pressed runs of digits, also from several inputs, are masked. */
  maskArguments(args: Record<string, unknown> | null): Record<string, unknown> | null {
    if (args === null || this.inputs.length === 0) return args;
    return this.mask(args) as Record<string, unknown>;
  }

  /**
   * Words or a tool's response for the record: each sign of a pressed run is masked. The length of the text stays,
   * because the heard part of a turn is a number of its characters.
   */
  maskText(text: string): string {
    if (this.inputs.length === 0) return text;
    return text.replace(DIGIT_RUN, (run) =>
      digitsOf(run).length >= SECRET_DIGITS && this.wasPressed(run) ? run.replace(/[\p{L}\d]/gu, '*') : run,
    );
  }

  private mask(value: unknown): unknown {
    if (typeof value === 'string')
      return value.replace(DIGIT_RUN, (run) => (this.wasPressed(run) ? MASK : run));
    if (typeof value === 'number') return this.wasPressed(String(value)) ? MASK : value;
    if (Array.isArray(value)) return value.map((one) => this.mask(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.mask(one)]));
  }

  private wasPressed(run: string): boolean {
    const digits = digitsOf(run);
    if (this.inputs.includes(digits) && digits.length > 1) return true;
    if (digits.length < SECRET_DIGITS) return false;
    if (this.inputs.join('').includes(digits)) return true;
    return this.inputs.some((input) => input.length >= SECRET_DIGITS && digits.includes(input));
  }
}
