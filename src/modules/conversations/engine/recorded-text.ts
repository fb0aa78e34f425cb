import type { ScreeningPhrases } from '../languages/language-pack.js';
import { ALL_PACKS } from '../languages/languages.js';

/** Lower case, with plain apostrophes and, for the Turkish "İ", a plain "i", as `ScreeningPhrases` expects it. */
export const normalize = (text: string): string =>
  text.toLowerCase().replaceAll('’', "'").replaceAll('\u0307', '');

const matchesAny = (text: string, kinds: readonly (keyof ScreeningPhrases)[]): boolean => {
  const normalized = normalize(text);
  return ALL_PACKS.some(({ screening }) => kinds.some((kind) => screening[kind].test(normalized)));
};

/** Whether a text is from a mailbox, in any of the languages. */
export const isMailboxText = (text: string): boolean => matchesAny(text, ['mailbox', 'callsBack', 'tone']);

/** The same, or a text that only announces the owner of the line. */
export const isRecordedText = (text: string): boolean => isMailboxText(text) || matchesAny(text, ['reached']);
