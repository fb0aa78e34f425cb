import { Injectable } from '@nestjs/common';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { CatalogService } from '../catalog/catalog.service.js';
import type { SpeechProvider } from '../catalog/catalog.js';
import type { AudioLine } from '#src/modules/media/audio-line.js';
import type { RelaySettings } from '../telephony/call-session.js';
import { SpeechAdaptersService } from './speech-adapters.service.js';
import {
  planSpeech,
  type ChosenProviders,
  type FailedProvider,
  type PlannedVoice,
  type SpeechPlan,
} from './speech-plan.js';
import type { ProviderAccess } from './speech-provider.js';
import type { SpeechVoice } from './speech-queue.js';
import { EndOfTurnModel } from './end-of-turn/end-of-turn-model.js';
import { LimitedTranscriber } from './limited-transcriber.js';
import { SpeechSession, type SpeechSettings } from './speech-session.js';
import { VoiceActivityDetector } from './voice-activity.js';

export type { SpeechPlan } from './speech-plan.js';

/** Speech by providers of the catalogue over audio lines. */
@Injectable()
export class SpeechSessionsService {
  constructor(
    private readonly catalog: CatalogService,
    private readonly settings: RuntimeSettings,
    private readonly detector: VoiceActivityDetector,
    private readonly adapters: SpeechAdaptersService,
    private readonly turnModel: EndOfTurnModel,
  ) {}

  /**
   * Null where the speech of the carrier or the browser is used: no providers are chosen, all have retired without a
   * successor, their endpoints are not set, or they have failed in the call.
   */
  async planProviders(
    chosen: ChosenProviders,
    failed: readonly FailedProvider[] = [],
  ): Promise<SpeechPlan | null> {
    if (chosen.synthesizerProviderId === null || chosen.transcriberProviderId === null) return null;
    return planSpeech(await this.catalog.getCatalog(), chosen, (provider) => this.isUsable(provider), failed);
  }

  /** Names of the settings, as the API spells them, that the providers do not support. */
  settingsNotApplied({ voices: [first], transcriber }: SpeechPlan, relay: RelaySettings): string[] {
    const { provider, voice } = first;
    const unsupported = this.adapters
      .findSynthesizer(provider.adapter)
      ?.settingsNotApplied({ voice, speed: relay.speechSpeed });
    const detectsEndOfTurn =
      this.turnModel.isSet || this.adapters.findTranscriber(transcriber.adapter)?.detectsEndOfTurn;
    return [
      ...(isVoiceOf(relay, first) ? [] : ['voice_id']),
      ...(unsupported ?? []),
      ...(relay.endpointType === 'ai' && !detectsEndOfTurn ? ['endpoint_type'] : []),
      ...(relay.noiseCancellation ? ['noise_cancellation'] : []),
    ];
  }

  /** @throws Error for a planned provider without an adapter or endpoint */
  openSession(
    line: AudioLine,
    { voices, transcriber }: SpeechPlan,
    {
      takesUtterance,
      ...settings
    }: Pick<SpeechSettings, 'relay' | 'interrupts' | 'isShortAnswer' | 'onProviderFailed'> & {
      /** Whether the customer's next utterance is transcribed; absent: each one. */
      takesUtterance?: (() => boolean) | undefined;
    },
  ): SpeechSession {
    const adapter = this.adapters.findTranscriber(transcriber.adapter);
    if (!adapter) throw new Error('A speech provider has no adapter');
    const limited = takesUtterance ? new LimitedTranscriber(adapter, takesUtterance) : adapter;
    const { detector, turnModel } = this;
    const parts = { line, detector, transcriber: limited, turnModel };
    const transcription = { name: transcriber.name, access: this.accessTo(transcriber) };
    const [first, ...others] = voices;
    return new SpeechSession(parts, {
      ...settings,
      transcription,
      voices: [
        this.voiceOf(first, settings.relay),
        ...others.map((voice) => this.voiceOf(voice, settings.relay)),
      ],
    });
  }

  private voiceOf({ provider, voice }: PlannedVoice, relay: RelaySettings): SpeechVoice {
    const synthesizer = this.adapters.findSynthesizer(provider.adapter);
    if (!synthesizer) throw new Error('A speech provider has no adapter');
    const { speechSpeed: speed, voiceStability: stability, voiceSimilarity: similarity } = relay;
    const settings = { voice, speed, stability, similarity };
    return { name: provider.name, synthesizer, provider: this.accessTo(provider), ...settings };
  }

  private isUsable({ kind, adapter, endpoint }: SpeechProvider): boolean {
    const has =
      kind === 'synthesizer'
        ? this.adapters.findSynthesizer(adapter)
        : this.adapters.findTranscriber(adapter);
    const { endpoints } = this.settings.speech;
    return has !== undefined && (endpoint === null || Object.hasOwn(endpoints, endpoint));
  }

  private accessTo({ endpoint, code }: SpeechProvider): ProviderAccess {
    const { model, speech } = this.settings;
    if (endpoint === null) return { baseUrl: model.baseUrl, apiKey: model.apiKey, model: code };
    const own = Object.hasOwn(speech.endpoints, endpoint) ? speech.endpoints[endpoint] : undefined;
    if (!own) throw new Error('The endpoint of a speech provider is not set');
    return { ...own, model: code };
  }
}

const isVoiceOf = (relay: RelaySettings, { provider, voice }: PlannedVoice): boolean =>
  relay.voice.provider.toLowerCase() === provider.name.toLowerCase() && relay.voice.voice === voice;
