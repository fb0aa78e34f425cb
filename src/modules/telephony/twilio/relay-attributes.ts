import type { RelaySettings } from '../call-session.js';

/** Languages of the recogniser that judges the end of a turn by what was said (Deepgram Flux). */
const FLUX_LANGUAGES: ReadonlySet<string> = new Set([
  'en',
  'es',
  'fr',
  'de',
  'hi',
  'ru',
  'pt',
  'ja',
  'it',
  'nl',
]);

/** Providers whose voices the relay supports; for others it uses the language's default. */
const RELAY_PROVIDERS: ReadonlySet<string> = new Set(['elevenlabs', 'amazon', 'google']);

export type Attributes = Record<string, string>;

/** Attributes of `<ConversationRelay>` that say who may speak when. */
export function turnTaking(settings: RelaySettings): Attributes {
  if (!settings.allowInterruptions) return silent({ preemptible: 'false', reported: 'none' });
  // The engine counts words: the carrier continues to speak, reports what it hears, and stops for newer text.
  if (settings.minInterruptWords > 1) return silent({ preemptible: 'true', reported: 'speech' });
  return {
    interruptible: 'any',
    welcomeGreetingInterruptible: 'any',
    interruptSensitivity: interruptLevel(settings.interruptSensitivity),
    preemptible: 'false',
    reportInputDuringAgentSpeech: 'none',
  };
}

const silent = ({ preemptible, reported }: { preemptible: string; reported: string }): Attributes => ({
  interruptible: 'none',
  welcomeGreetingInterruptible: 'none',
  preemptible,
  reportInputDuringAgentSpeech: reported,
});

function interruptLevel(sensitivity: number): string {
  if (sensitivity < 5 / 3) return 'low';
  return sensitivity < 10 / 3 ? 'medium' : 'high';
}

/** When the customer's turn counts as ended: 1200–600 ms of silence, or a confidence of 0.9–0.5. */
export function endOfTurn(settings: RelaySettings): Attributes {
  const share = settings.endpointSensitivity / 5;
  if (judgesByMeaning(settings)) return { eotThreshold: (0.9 - 0.4 * share).toFixed(2) };
  return { speechTimeout: String(Math.round(1200 - 600 * share)) };
}

/** Attributes of `<Language>`: the voice and, where needed, the recogniser. */
export function languageAttributes(settings: RelaySettings): Attributes {
  const recogniser: Attributes = judgesByMeaning(settings)
    ? { transcriptionProvider: 'Deepgram', speechModel: 'flux' }
    : {};
  return {
    code: settings.language,
    ...(speaks(settings) ? { ttsProvider: settings.voice.provider, voice: voiceName(settings) } : {}),
    ...recogniser,
  };
}

function voiceName({ voice, speechSpeed, voiceStability, voiceSimilarity }: RelaySettings): string {
  if (!takesVoiceSettings(voice.provider)) return voice.voice;
  return `${voice.voice}-${speechSpeed}_${voiceStability}_${voiceSimilarity}`;
}

const speaks = ({ voice }: RelaySettings): boolean => RELAY_PROVIDERS.has(voice.provider.toLowerCase());

const takesVoiceSettings = (provider: string): boolean => provider.toLowerCase() === 'elevenlabs';

const judgesByMeaning = ({ endpointType, language }: RelaySettings): boolean =>
  endpointType === 'ai' && FLUX_LANGUAGES.has(language.slice(0, 2).toLowerCase());

/** Names of the settings, as the API spells them, that the relay does not support. */
export function settingsNotApplied(settings: RelaySettings): string[] {
  const names: string[] = speaks(settings) ? [] : ['voice_id'];
  if (!takesVoiceSettings(settings.voice.provider)) {
    names.push('voice_stability', 'voice_similarity');
    if (settings.speechSpeed !== 1) names.push('speech_speed');
  }
  if (settings.endpointType === 'ai' && !judgesByMeaning(settings)) names.push('endpoint_type');
  if (settings.ambientSound) names.push('ambient_sound');
  return names;
}
