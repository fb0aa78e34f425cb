import type { ProviderAccess } from './speech-provider.js';

/** Of the audio that a synthesizer gives: 16-bit little-endian samples of one channel. */
export const SYNTHESIS_RATE = 24_000;

export interface SynthesisRequest {
  provider: ProviderAccess;
  /** At most 1,000 characters. */
  text: string;
  /** The voice's name at its provider. */
  voice: string;
  /** BCP 47 */
  language: string;
  /** 0.7–1.2, 1 is normal. */
  speed: number;
  /** 0–1, where the provider takes it. */
  stability: number;
  /** 0–1, where the provider takes it. */
  similarity: number;
}

/** Of a request, what a provider may lack. */
export type VoiceSettings = Pick<SynthesisRequest, 'voice' | 'speed'>;

/** Text to speech. */
export abstract class Synthesizer {
  /**
   * The audio as it comes, in pieces of any size; a sample may be cut in two. Ends early, without an error, when the
   * signal aborts.
   *
   * @throws SpeechError and nothing else
   */
  abstract speak(request: SynthesisRequest, signal: AbortSignal): AsyncIterable<Buffer>;

  /** Names of the settings, as the API spells them, that the provider does not take. */
  settingsNotApplied(_settings: VoiceSettings): string[] {
    return ['voice_stability', 'voice_similarity'];
  }
}
