import { isUnstorable } from '#src/common/http/json-body.js';
import { toE164 } from '#src/common/phone/phone.js';
import { MAX_PHONE_LENGTH } from '#src/common/validation/fields.js';

/** A column's name as people write it (`Phone Number`), in the form `phone_number`. */
export const columnName = (written: string): string => written.toLowerCase().replace(/[\s-]+/g, '_');

/**
 * @param country ISO 3166-1 alpha-2: where national numbers are read
 * @returns E.164; null where it is no number
 */
export const readNumber = (written: string, country: string): string | null =>
  written.length > MAX_PHONE_LENGTH ? null : toE164(written, country);

/** U+FFFD replaces bytes that are not UTF-8: the line is refused instead of storing damaged text. */
export const isDamaged = (value: string): boolean => isUnstorable(value) || value.includes('\uFFFD');
