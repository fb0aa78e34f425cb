import { Injectable } from '@nestjs/common';
import { CartesiaSynthesizerService } from './cartesia/cartesia-synthesizer.service.js';
import { DeepgramSynthesizerService } from './deepgram/deepgram-synthesizer.service.js';
import { DeepgramTranscriberService } from './deepgram/deepgram-transcriber.service.js';
import { FluxTranscriberService } from './deepgram/flux-transcriber.service.js';
import { ElevenLabsSynthesizerService } from './elevenlabs/elevenlabs-synthesizer.service.js';
import { OpenAiSynthesizerService } from './openai-speech/openai-synthesizer.service.js';
import { OpenAiTranscriberService } from './openai-speech/openai-transcriber.service.js';
import type { Synthesizer } from './synthesizer.js';
import type { Transcriber } from './transcriber.js';

/** Synthesizers and transcribers by the `adapter` of the catalogue. */
@Injectable()
export class SpeechAdaptersService {
  private readonly synthesizers: ReadonlyMap<string, Synthesizer>;
  private readonly transcribers: ReadonlyMap<string, Transcriber>;

  constructor(
    openAiSynthesizer: OpenAiSynthesizerService,
    elevenLabs: ElevenLabsSynthesizerService,
    cartesia: CartesiaSynthesizerService,
    aura: DeepgramSynthesizerService,
    openAiTranscriber: OpenAiTranscriberService,
    nova: DeepgramTranscriberService,
    flux: FluxTranscriberService,
  ) {
    this.synthesizers = new Map<string, Synthesizer>([
      ['openai', openAiSynthesizer],
      ['elevenlabs', elevenLabs],
      ['cartesia', cartesia],
      ['deepgram', aura],
    ]);
    this.transcribers = new Map<string, Transcriber>([
      ['openai', openAiTranscriber],
      ['deepgram', nova],
      ['deepgram-flux', flux],
    ]);
  }

  /** Undefined for an adapter without a synthesizer. */
  findSynthesizer(adapter: string): Synthesizer | undefined {
    return this.synthesizers.get(adapter);
  }

  /** Undefined for an adapter without a transcriber. */
  findTranscriber(adapter: string): Transcriber | undefined {
    return this.transcribers.get(adapter);
  }
}
