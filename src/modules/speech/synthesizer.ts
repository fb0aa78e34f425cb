import type { ProviderAccess } from './speech-provider.js';

/** Sample rate in hertz of synthesizers' audio: 16-bit little-endian samples of one channel. */
export const SYNTHESIS_RATE = 24_000;

export interface SynthesisRequest {
  provider: ProviderAccess;
  /** At most 1,000 characters, with its rest. */
  text: string;
  /** Only where the provider `takesRest`: what follows the text, empty: nothing. It never fails. */
  rest?: Promise<string>;
  /** The voice's name at its provider. */
  voice: string;
  /** BCP 47 */
  language: string;
  /** 0.7–1.2, 1 is normal. */
  speed: number;
  /** 0–1, where the provider supports it. */
  stability: number;
  /** 0–1, where the provider supports it. */
  similarity: number;
}

/** Settings of a request that a provider may not support. */
export type VoiceSettings = Pick<SynthesisRequest, 'voice' | 'speed'>;

/** Text to speech. */
export abstract class Synthesizer {
  /** Whether the rest of a text may follow while its beginning is spoken, in the same intonation. */
  readonly takesRest: boolean = false;

  /**
   * Streams the audio in pieces of any size; a sample may be split between two. Ends early, without an error, when the
   * signal aborts.
   *
   * @throws SpeechError and nothing else
   */
  abstract speak(request: SynthesisRequest, signal: AbortSignal): AsyncIterable<Buffer>;

  /** API names of the settings that the provider does not support. */
  settingsNotApplied(_settings: VoiceSettings): string[] {
    return ['voice_stability', 'voice_similarity'];
  }
}
