import { isUnstorable } from '../persistence/storable.js';

/** U+FFFD replaces bytes that are not UTF-8: the line is refused instead of storing damaged text. */
export const isDamagedText = (value: string): boolean => isUnstorable(value) || value.includes('\uFFFD');

/** Error message of a column whose value `isDamagedText`. */
export const DAMAGED_TEXT_RULE = 'contains invalid characters';
