import { TEXTS } from './texts.js';

const NAMES = [
  'open',
  'close',
  'title',
  'description',
  'talk',
  'write',
  'again',
  'message',
  'send',
  'mute',
  'unmute',
  'interrupt',
  'end',
  'you',
  'assistant',
  'connecting',
  'listening',
  'speaking',
  'connected',
  'muted',
  'ended',
  'reconnecting',
  'noMicrophone',
  'microphoneRefused',
  'noSpeech',
  'offline',
  'unreachable',
  'refused',
  'busy',
  'unavailable',
  'lost',
] as const;

/** What the widget says, in one language. */
export type Strings = Record<(typeof NAMES)[number], string>;

export const LANGUAGES = Object.keys(TEXTS);

/** English for languages without strings. @param language BCP 47 */
export function stringsFor(language: string): Strings {
  const lines = (TEXTS[language.slice(0, 2).toLowerCase()] ?? TEXTS['en'] ?? '').split('\n');
  return Object.fromEntries(NAMES.map((name, index) => [name, lines[index] ?? ''])) as Strings;
}
