import { Injectable } from '@nestjs/common';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { CatalogService } from '../catalog/catalog.service.js';
import type { SpeechProvider } from '../catalog/catalog.js';
import type { AudioLine } from '#src/modules/media/audio-line.js';
import type { RelaySettings } from '../telephony/call-session.js';
import { DeepgramTranscriberService } from './deepgram/deepgram-transcriber.service.js';
import { OpenAiSynthesizerService } from './openai-speech/openai-synthesizer.service.js';
import { OpenAiTranscriberService } from './openai-speech/openai-transcriber.service.js';
import type { ProviderAccess } from './speech-provider.js';
import { SpeechSession, type SpeechSettings } from './speech-session.js';
import { VoiceActivityDetector } from './voice-activity.js';

/** The providers that an assistant has chosen. */
export interface ChosenProviders {
  synthesizerProviderId: number | null;
  transcriberProviderId: number | null;
}

/** A pair of providers that can be used. */
export interface SpeechPlan {
  synthesizer: SpeechProvider;
  transcriber: SpeechProvider;
}

/** Speech by providers of the catalogue over audio lines. */
@Injectable()
export class SpeechSessionsService {
  constructor(
    private readonly catalog: CatalogService,
    private readonly settings: RuntimeSettings,
    private readonly detector: VoiceActivityDetector,
    private readonly openAiTranscriber: OpenAiTranscriberService,
    private readonly deepgramTranscriber: DeepgramTranscriberService,
    private readonly openAiSynthesizer: OpenAiSynthesizerService,
  ) {}

  /**
   * Null where the carrier or the browser speaks and listens: no providers are chosen, one has retired without a
   * successor, or the endpoint of one is not set.
   */
  async plan(chosen: ChosenProviders): Promise<SpeechPlan | null> {
    const { synthesizerProviderId, transcriberProviderId } = chosen;
    if (synthesizerProviderId === null || transcriberProviderId === null) return null;
    const catalog = await this.catalog.catalog();
    const synthesizer = catalog.currentProvider(synthesizerProviderId, 'synthesizer');
    const transcriber = catalog.currentProvider(transcriberProviderId, 'transcriber');
    if (!synthesizer || !transcriber || synthesizer.adapter !== 'openai') return null;
    if (!this.accessTo(synthesizer) || !this.accessTo(transcriber)) return null;
    return { synthesizer, transcriber };
  }

  /** Names of the settings, as the API spells them, that the providers do not support. */
  settingsNotApplied({ synthesizer }: SpeechPlan, relay: RelaySettings): string[] {
    const names = ['voice_stability', 'voice_similarity'];
    if (!hasVoice(relay, synthesizer)) names.unshift('voice_id');
    if (relay.endpointType === 'ai') names.push('endpoint_type');
    if (relay.noiseCancellation) names.push('noise_cancellation');
    return names;
  }

  /** @throws Error where the endpoint of a planned provider is not set */
  open(
    line: AudioLine,
    { synthesizer, transcriber }: SpeechPlan,
    { relay, interrupts }: Pick<SpeechSettings, 'relay' | 'interrupts'>,
  ): SpeechSession {
    const [speaks, transcribes] = [this.accessTo(synthesizer), this.accessTo(transcriber)];
    if (!speaks || !transcribes) throw new Error('The endpoint of a speech provider is not set');
    const parts = {
      line,
      detector: this.detector,
      synthesizer: this.openAiSynthesizer,
      transcriber: transcriber.adapter === 'deepgram' ? this.deepgramTranscriber : this.openAiTranscriber,
    };
    const voice = { provider: speaks, voice: voiceOf(relay, synthesizer), speed: relay.speechSpeed };
    return new SpeechSession(parts, { relay, interrupts, transcription: transcribes, voice });
  }

  private accessTo({ endpoint, code }: SpeechProvider): ProviderAccess | null {
    const { model, speech } = this.settings;
    if (endpoint === null) return { baseUrl: model.baseUrl, apiKey: model.apiKey, model: code };
    const own = Object.hasOwn(speech.endpoints, endpoint) ? speech.endpoints[endpoint] : undefined;
    return own ? { ...own, model: code } : null;
  }
}

const hasVoice = ({ voice }: RelaySettings, { name }: SpeechProvider): boolean =>
  voice.provider.toLowerCase() === name.toLowerCase();

const voiceOf = (relay: RelaySettings, synthesizer: SpeechProvider): string =>
  hasVoice(relay, synthesizer) ? relay.voice.voice : (synthesizer.defaultVoice ?? relay.voice.voice);
