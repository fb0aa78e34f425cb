import { isDeepStrictEqual } from 'node:util';
import { Injectable, Logger } from '@nestjs/common';
import type { AssistantView } from '../assistants/assistant-view.js';
import { CallsRepository } from '../calls/calls.repository.js';
import type { CallView } from '../calls/call.view.js';
import type { AnsweringModel } from '../llm/language-model.js';
import { AmbientLine } from '../speech/audio/ambient-line.js';
import { RealtimeModel } from '../speech/realtime-model.js';
import type { SpeechError } from '../speech/speech-error.js';
import type { FailedProvider } from '../speech/speech-plan.js';
import { SpeechSessionsService, type SpeechPlan } from '../speech/speech-sessions.service.js';
import type { AudioLine } from '#src/modules/media/audio-line.js';
import type { CallSession } from '../telephony/call-session.js';
import { CarrierCalls } from '../telephony/carrier-calls.js';
import type { ConversationPlan } from './conversation-plan.js';
import { Clock } from './engine/clock.js';
import { countWords, isBackchannel } from './engine/interruption-policy.js';
import type { RealtimeMetrics } from './realtime/realtime-metrics.js';
import { RealtimeSession } from './realtime/realtime-session.js';
import { notAppliedInRealtime } from './realtime/realtime-settings.js';

/** In `settings_not_applied`: the call is held in pipeline mode, whatever the assistant's mode is … */
export const ENGINE_TYPE = 'engine_type';
/** … and the carrier's own speech is used in place of providers. */
export const SPEECH_PROVIDERS = ['synthesizer_provider_id', 'transcriber_provider_id'];
/** Characters of why a provider failed, in the record of the call. */
const MAX_REASON = 200;

/**
 * A conversation, and who speaks and listens in it: a realtime model, speech providers, or the carrier on its relay.
 */
export type VoicedPlan = Pick<ConversationPlan, 'relay' | 'realtime' | 'speech'> & {
  assistant: AssistantView;
};

/** A call session over an audio line. */
export interface AudioSession extends CallSession {
  /** Whether who speaks or listens was lost: the line is still open, and the call can go on without it. */
  readonly failed: boolean;
  /** Ends the line. */
  hangUp(): void;
  /** Leaves the line to the next session, where the transport can; others open a line again. */
  release(): void;
}

/**
 * Who speaks and listens in a call, and therefore which line it gets. What failed in it is in the record of the call,
 * and is not used again, in whatever process.
 */
@Injectable()
export class CallVoicesService {
  private readonly logger = new Logger(CallVoicesService.name);
  /** What is being written of failed providers, by call. */
  private readonly noted = new Map<number, Promise<void>>();

  constructor(
    private readonly carrier: CarrierCalls,
    private readonly calls: CallsRepository,
    private readonly realtime: RealtimeModel,
    private readonly speech: SpeechSessionsService,
    private readonly clock: Clock,
  ) {}

  /** Whether the realtime model of the assistant, if it has one, can be used. */
  usesRealtime({ settingsNotApplied }: CallView): boolean {
    return !settingsNotApplied.includes(ENGINE_TYPE);
  }

  /** Whether the carrier's speech stands in for what the assistant is set to use. */
  goesOnWithout(call: CallView): boolean {
    return [ENGINE_TYPE, ...SPEECH_PROVIDERS].some((name) => call.settingsNotApplied.includes(name));
  }

  /** The speech providers of the assistant; null: none are chosen, or they cannot be used. */
  async speechPlan(call: CallView, assistant: AssistantView): Promise<SpeechPlan | null> {
    if (SPEECH_PROVIDERS.some((name) => call.settingsNotApplied.includes(name))) return null;
    return this.speech.plan(assistant, call.providerFailures);
  }

  /** Whether a browser gets an audio line with this assistant. */
  async speakOverAudio(assistant: AssistantView): Promise<boolean> {
    return assistant.realtime !== null || (await this.speech.plan(assistant)) !== null;
  }

  /** Writes into the record of the call which settings do not apply on the line that it gets now. */
  async note(call: CallView, plan: VoicedPlan): Promise<void> {
    const names = this.notApplied(plan);
    if (isDeepStrictEqual(names, call.settingsNotApplied)) return;
    await this.calls.storeSettingsNotApplied(call.id, names);
  }

  /**
   * Who speaks and listens by this plan cannot be used any more: the call goes on with other providers of the assistant
   * or without, and its record says so.
   *
   * @returns the call as it goes on
   */
  async giveUp(
    call: CallView,
    { assistant, realtime }: Pick<VoicedPlan, 'assistant' | 'realtime'>,
  ): Promise<CallView> {
    await this.noted.get(call.id);
    const noted = (await this.calls.callView(call.id)) ?? call;
    if (!realtime && (await this.speechPlan(noted, assistant))) return noted;
    const lost = realtime ? [ENGINE_TYPE] : SPEECH_PROVIDERS;
    const settingsNotApplied = [...new Set([...lost, ...noted.settingsNotApplied])];
    await this.calls.storeSettingsNotApplied(call.id, settingsNotApplied);
    return { ...noted, settingsNotApplied };
  }

  /**
   * Opens a session over a line, with the background sound of the assistant; one whose model or providers cannot be
   * reached has `failed`, at once or soon.
   *
   * @returns also the model that answers; undefined: the language model
   */
  async open(
    callId: number,
    line: AudioLine,
    { assistant, relay, realtime, speech }: VoicedPlan,
    metrics: RealtimeMetrics,
  ): Promise<{ session: AudioSession; model: AnsweringModel | undefined }> {
    const sounding = AmbientLine.of(line, assistant.ambientSound, relay.ambientSoundVolume);
    if (realtime) {
      const settings = { ...realtime, format: line.format };
      const session = new RealtimeSession(sounding, this.clock, settings, realtime, metrics);
      metrics.began();
      await session.open(this.realtime);
      return { session, model: session };
    }
    if (!speech) throw new Error('Nobody speaks on an audio line');
    const onProviderFailed = (failed: FailedProvider, error: SpeechError): void =>
      this.noteFailure(callId, failed, error);
    const session = this.speech.open(sounding, speech, { relay, interrupts, onProviderFailed });
    return { session, model: undefined };
  }

  /** Written one after the other; the call does not wait for it. */
  private noteFailure(callId: number, failed: FailedProvider, { message }: SpeechError): void {
    const at = new Date(this.clock.now()).toISOString();
    const failure = { ...failed, reason: message.slice(0, MAX_REASON), at };
    const written = (this.noted.get(callId) ?? Promise.resolve())
      .then(() => this.calls.noteProviderFailure(callId, failure))
      .catch((error: unknown) => this.logger.warn(`A failed provider was not noted: ${String(error)}`))
      .finally(() => {
        if (this.noted.get(callId) === written) this.noted.delete(callId);
      });
    this.noted.set(callId, written);
  }

  /** Names of the settings, as the API spells them, that do not apply on the line of this plan. */
  notApplied(plan: VoicedPlan): string[] {
    return [...new Set([...plan.assistant.replaced, ...this.notAppliedOnLine(plan)])];
  }

  private notAppliedOnLine({ assistant, relay, realtime, speech }: VoicedPlan): string[] {
    if (realtime) return notAppliedInRealtime(assistant);
    const mode = assistant.mode === 'multimodal' ? [ENGINE_TYPE] : [];
    if (speech) return [...mode, ...this.speech.settingsNotApplied(speech, relay)];
    const providers = assistant.synthesizerProviderId === null ? [] : SPEECH_PROVIDERS;
    return [...mode, ...providers, ...this.carrier.settingsNotApplied(relay)];
  }
}

const interrupts = (words: string, language: string): boolean =>
  !isBackchannel(words, language) && countWords(words, language) > 0;
