/**
 * The languages of the relay's providers, by the language part of a BCP 47 tag. Sources: the providers' lists of
 * models and languages, and those of <ConversationRelay> in the carrier's documentation, November 2026.
 */

/** Languages of the recogniser that detects the end of a turn by its meaning (Deepgram Flux). */
const FLUX = new Set(['en', 'es', 'fr', 'de', 'hi', 'ru', 'pt', 'ja', 'it', 'nl']);

/**
 * The relay's default recogniser is Deepgram (Google's for accounts that used it before 12 September 2025), whose
 * models of all versions know the other languages of the catalogue; these three only the newest of them.
 */
const TRANSCRIBED_BY_GOOGLE = new Set(['ar', 'he', 'hr']);

/** The multilingual models of ElevenLabs. */
const ELEVENLABS = new Set(
  'ar bg zh hr cs da nl en fil fi fr de el hi hu id it ja ko ms nb no pl pt ro ru sk es sv ta tr uk vi'.split(
    ' ',
  ),
);

/** Providers whose voices the relay supports; for others it uses the language's default. */
const SYNTHESISERS = new Set(['elevenlabs', 'amazon', 'google']);

/** Amazon's Arabic voices speak that of the Gulf (ar-AE). */
const NOT_AMAZON = new Set(['ar-SA']);

/** Where the default provider of speech, ElevenLabs, does not know a language. */
const OTHER_SYNTHESISER = 'Google';

const base = (language: string): string => language.split('-', 1)[0]?.toLowerCase() ?? '';

export const hasSemanticEndOfTurn = (language: string): boolean => FLUX.has(base(language));

/** The recogniser to request; null: the relay's own default. */
export const relayTranscriberOf = (language: string): string | null =>
  TRANSCRIBED_BY_GOOGLE.has(base(language)) ? 'Google' : null;

/** The provider of the language's default voice; null: the relay's own default. */
export const defaultSynthesiser = (language: string): string | null =>
  ELEVENLABS.has(base(language)) ? null : OTHER_SYNTHESISER;

/** Whether the relay has the provider, and the provider the language; whether the voice has it is the catalogue's. */
export function canSpeak(provider: string, language: string): boolean {
  const name = provider.toLowerCase();
  if (name === 'elevenlabs') return ELEVENLABS.has(base(language));
  return SYNTHESISERS.has(name) && !(name === 'amazon' && NOT_AMAZON.has(language));
}
