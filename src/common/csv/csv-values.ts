import { isUnstorable } from '../persistence/storable.js';

/** U+FFFD replaces bytes that are not UTF-8: the line is refused instead of storing damaged text. */
export const isDamaged = (value: string): boolean => isUnstorable(value) || value.includes('\uFFFD');

/** Said of a column whose value `isDamaged`. */
export const DAMAGED = 'contains invalid characters';
