import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { SearchOptions } from './find-numbers.js';

/**
 * `store`: what is stored and sent of conversations has no numbers. `model`: the language model does not get them
 * either.
 */
export const REDACTIONS = ['off', 'store', 'model'] as const;
export type Redaction = (typeof REDACTIONS)[number];

/**
 * The countries of a conversation are those of its language and of its telephone numbers.
 * @param language BCP 47
 */
export function redactionOptions(language: string, phoneNumbers: readonly string[] = []): SearchOptions {
  const region = language.split('-')[1] ?? '';
  const ofNumbers = phoneNumbers.flatMap((number) => parsePhoneNumberFromString(number)?.country ?? []);
  return { language, countries: [...new Set([region, ...ofNumbers])].filter((country) => country !== '') };
}
