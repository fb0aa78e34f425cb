import type { RelaySettings } from '../call-session.js';
import { canSpeak, defaultSynthesiser, hasSemanticEndOfTurn, relayTranscriberOf } from './relay-languages.js';

export type TwimlAttributes = Record<string, string>;

/** TwimlAttributes of `<ConversationRelay>` that say who may speak when. */
export function turnTakingAttributes(settings: RelaySettings): TwimlAttributes {
  // Words and keys are reported in every case: nobody says them again. They are answered after the speech.
  if (!settings.allowInterruptions) return silent({ preemptible: 'false' });
  // The engine counts words: the carrier continues to speak, and stops for newer text.
  if (settings.minInterruptWords > 1) return silent({ preemptible: 'true' });
  return {
    interruptible: 'any',
    welcomeGreetingInterruptible: 'any',
    interruptSensitivity: interruptLevel(settings.interruptSensitivity),
    ignoreBackchannel: String(settings.interruptSensitivity > 0),
    preemptible: 'false',
    reportInputDuringAgentSpeech: 'none',
  };
}

const silent = ({ preemptible }: { preemptible: string }): TwimlAttributes => ({
  interruptible: 'none',
  welcomeGreetingInterruptible: 'none',
  preemptible,
  reportInputDuringAgentSpeech: 'any',
});

/** The setting is the customer's speech, in seconds, that it takes to interrupt. */
function interruptLevel(seconds: number): string {
  if (seconds <= 0.5) return 'high';
  return seconds < 2 ? 'medium' : 'low';
}

/**
 * When the customer's turn counts as ended. The setting is the room that a slow speaker gets, in seconds: 600–5000 ms
 * of silence, or a confidence of 0.5–0.9.
 */
export function endOfTurnAttributes(settings: RelaySettings): TwimlAttributes {
  const seconds = settings.endpointSensitivity;
  if (judgesByMeaning(settings)) return { eotThreshold: (0.5 + 0.08 * seconds).toFixed(2) };
  return { speechTimeout: String(Math.round(Math.min(5_000, Math.max(600, seconds * 1000)))) };
}

/**
 * Attributes of each `<Language>`: the call's own first, then those that it may change to. Instructions that replace
 * refused ones contain as little as possible.
 */
export function languageAttributes(settings: RelaySettings): TwimlAttributes[] {
  const others = settings.defaultVoice ? [] : settings.otherLanguages;
  return [settings.language, ...others].map((code) => ({
    code,
    ...voiceOf(settings, code),
    ...recogniser(settings, code),
  }));
}

function voiceOf(settings: RelaySettings, code: string): TwimlAttributes {
  const { voice, defaultVoice } = settings;
  if (!defaultVoice && canSpeak(voice.provider, code)) {
    return { ttsProvider: voice.provider, voice: voiceName(settings) };
  }
  const provider = defaultSynthesiser(code);
  return provider ? { ttsProvider: provider } : {};
}

function recogniser({ endpointType }: RelaySettings, code: string): TwimlAttributes {
  if (endpointType === 'ai' && hasSemanticEndOfTurn(code)) {
    return { transcriptionProvider: 'Deepgram', speechModel: 'flux' };
  }
  const provider = relayTranscriberOf(code);
  return provider ? { transcriptionProvider: provider } : {};
}

/** The voice's name in `<Say>`, which has those of Amazon and Google; empty: the language's default speaks. */
export function sayVoiceAttributes(
  language: string,
  voice: RelaySettings['voice'] | undefined,
): TwimlAttributes {
  const prefix = SAY_PREFIXES.get(voice?.provider.toLowerCase() ?? '');
  return voice && prefix && canSpeak(voice.provider, language) ? { voice: `${prefix}.${voice.voice}` } : {};
}

const SAY_PREFIXES = new Map([
  ['amazon', 'Polly'],
  ['google', 'Google'],
]);

function voiceName({ voice, speechSpeed, voiceStability, voiceSimilarity }: RelaySettings): string {
  if (!takesVoiceSettings(voice.provider)) return voice.voice;
  return `${voice.voice}-${[speechSpeed, voiceStability, voiceSimilarity].map(decimal).join('_')}`;
}

/** With at least one decimal, as the carrier's examples have it. */
const decimal = (value: number): string => (Number.isInteger(value) ? value.toFixed(1) : String(value));

const takesVoiceSettings = (provider: string): boolean => provider.toLowerCase() === 'elevenlabs';

const judgesByMeaning = ({ endpointType, language }: RelaySettings): boolean =>
  endpointType === 'ai' && hasSemanticEndOfTurn(language);

const DEFAULT_VOLUME = 0.5;

/** Names of the settings, as the API spells them, that the relay does not support. */
export function settingsNotApplied(settings: RelaySettings): string[] {
  const { voice, language, defaultVoice, speechSpeed } = settings;
  const speaks = canSpeak(voice.provider, language);
  const names: string[] = speaks && !defaultVoice ? [] : ['voice_id'];
  if (!speaks || !takesVoiceSettings(voice.provider)) {
    names.push('voice_stability', 'voice_similarity');
    if (speechSpeed !== 1) names.push('speech_speed');
  }
  if (settings.endpointType === 'ai' && !judgesByMeaning(settings)) names.push('endpoint_type');
  if (settings.ambientSound) names.push('ambient_sound');
  if (settings.ambientSoundVolume !== DEFAULT_VOLUME) names.push('ambient_sound_volume');
  return names;
}
