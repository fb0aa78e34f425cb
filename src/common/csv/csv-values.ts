import { isUnstorable } from '../persistence/storable.js';

/** U+FFFD replaces bytes that are not UTF-8: the line is refused instead of storing damaged text. */
export const isDamagedText = (value: string): boolean => isUnstorable(value) || value.includes('\uFFFD');

/** Error message of a column whose value `isDamagedText`. */
export const DAMAGED_TEXT_RULE = 'contains invalid characters';

/** An unclosed quote joins all lines up to the next quote: their numbers would be lost. */
export const hasUnclosedQuote = (values: readonly string[]): boolean =>
  values.some((value) => /^"[^]*[\r\n]/.test(value));

/** Error message of a line that `hasUnclosedQuote`. */
export const UNCLOSED_QUOTE_RULE = 'has a quote in the wrong place';
