import { isDeepStrictEqual } from 'node:util';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { AssistantView } from '../assistants/assistant-view.js';
import { CallsRepository } from '../calls/calls.repository.js';
import type { CallView } from '../calls/call.view.js';
import type { StreamingModel } from '../llm/language-model.js';
import { AmbientLine } from '../speech/audio/ambient-line.js';
import { EndOfTurnModel } from '../speech/end-of-turn/end-of-turn-model.js';
import { RealtimeModel } from '../speech/realtime-model.js';
import type { SpeechError } from '../speech/speech-error.js';
import { speechMs } from '../speech/speech-length.js';
import type { FailedProvider } from '../speech/speech-plan.js';
import { VoiceActivityDetector } from '../speech/voice-activity.js';
import { SpeechSessionsService, type SpeechPlan } from '../speech/speech-sessions.service.js';
import type { AudioLine } from '#src/modules/media/audio-line.js';
import { MarkedLine } from '#src/modules/media/marked-line.js';
import type { CallSession } from '../telephony/call-session.js';
import { CarrierCalls } from '../telephony/carrier-calls.js';
import type { ConversationPlan } from './conversation-plan.js';
import { Clock } from './engine/clock.js';
import { isInterruption, isShortAnswer } from './engine/interruption-policy.js';
import { EarlyConnections } from './realtime/early-connections.js';
import type { RealtimeMetrics } from './realtime/realtime-metrics.js';
import { RealtimeSession } from './realtime/realtime-session.js';
import { sessionSettings, settingsNotAppliedInRealtime } from './realtime/realtime-settings.js';

/** In `settings_not_applied`: the call runs in pipeline mode instead of the assistant's mode … */
export const ENGINE_TYPE_SETTING = 'engine_type';
/** … and the carrier's own speech replaces the providers. */
export const SPEECH_PROVIDER_SETTINGS = ['synthesizer_provider_id', 'transcriber_provider_id'];
/** Of carriers' streams. */
const CARRIER_FORMAT = 'pcmu-8000';
/** Characters of the reason of a provider's failure in the record of the call. */
const MAX_REASON = 200;

/**
 * The speech of a conversation: a realtime model, speech providers, or the carrier on its relay.
 */
export type CallSpeechPlan = Pick<ConversationPlan, 'relay' | 'realtime' | 'speech'> & {
  assistant: AssistantView;
};

/** A call session over an audio line. */
export interface AudioSession extends CallSession {
  /** Whether the model or a provider failed: the line is still open, and the call can continue without it. */
  readonly failed: boolean;
  /** Ends the line. */
  hangUp(): void;
  /** Leaves the line to the next session where the transport supports it; others open a new line. */
  release(): void;
}

/**
 * Selects the speech of a call: a realtime model, providers or the carrier, and with it the kind of line. Failures are
 * stored in the record of the call, so that no process uses a failed provider again.
 */
@Injectable()
export class CallSpeechService implements OnModuleDestroy {
  private readonly logger = new Logger(CallSpeechService.name);
  /** Pending writes of failures by call id. */
  private readonly connections: EarlyConnections;
  private readonly pendingWrites = new Map<number, Promise<void>>();

  constructor(
    private readonly carrier: CarrierCalls,
    private readonly calls: CallsRepository,
    realtime: RealtimeModel,
    private readonly speech: SpeechSessionsService,
    private readonly clock: Clock,
    private readonly detector: VoiceActivityDetector,
    private readonly turnModel: EndOfTurnModel,
  ) {
    this.connections = new EarlyConnections(realtime, clock);
  }

  onModuleDestroy(): void {
    this.connections.closeAll();
  }

  /** Opens the session of a realtime model while the carrier speaks the notice before the stream. */
  prepareSession(
    { id }: CallView,
    { realtime, settings }: Pick<ConversationPlan, 'realtime' | 'settings'>,
  ): void {
    if (!realtime) return;
    const noticeMs = speechMs(settings.notice ?? '', settings.speechSpeed);
    this.connections.prepare(id, sessionSettings(realtime, CARRIER_FORMAT), noticeMs);
  }

  /** The call has ended, perhaps before its stream. */
  discardSession(callId: number): void {
    this.connections.discard(callId);
  }

  /** Whether the assistant's realtime model, if any, is usable in this call. */
  usesRealtime({ settingsNotApplied }: CallView): boolean {
    return !settingsNotApplied.includes(ENGINE_TYPE_SETTING);
  }

  /** Whether the carrier's speech replaces the assistant's model or providers. */
  usesFallbackSpeech(call: CallView): boolean {
    return [ENGINE_TYPE_SETTING, ...SPEECH_PROVIDER_SETTINGS].some((name) =>
      call.settingsNotApplied.includes(name),
    );
  }

  /** The speech providers of the assistant; null: none are chosen or usable. */
  async planProviders(call: CallView, assistant: AssistantView): Promise<SpeechPlan | null> {
    if (SPEECH_PROVIDER_SETTINGS.some((name) => call.settingsNotApplied.includes(name))) return null;
    return this.speech.planProviders(assistant, call.providerFailures);
  }

  /** Whether a browser gets an audio line with this assistant. */
  async usesAudioLine(assistant: AssistantView): Promise<boolean> {
    return assistant.realtime !== null || (await this.speech.planProviders(assistant)) !== null;
  }

  /** Stores in the record of the call which settings do not apply on its current line. */
  async storeSettingsNotApplied(call: CallView, plan: CallSpeechPlan): Promise<void> {
    const names = this.settingsNotApplied(plan);
    if (isDeepStrictEqual(names, call.settingsNotApplied)) return;
    await this.calls.storeSettingsNotApplied(call.id, names);
  }

  /**
   * Marks the model or the providers of this plan as failed in the record of the call, which continues with other
   * providers of the assistant or with the carrier's speech.
   *
   * @returns the updated call
   */
  async markFailed(
    call: CallView,
    { assistant, realtime }: Pick<CallSpeechPlan, 'assistant' | 'realtime'>,
  ): Promise<CallView> {
    await this.pendingWrites.get(call.id);
    const stored = (await this.calls.findView(call.id)) ?? call;
    if (!realtime && (await this.planProviders(stored, assistant))) return stored;
    const failedSettings = realtime ? [ENGINE_TYPE_SETTING] : SPEECH_PROVIDER_SETTINGS;
    const settingsNotApplied = [...new Set([...failedSettings, ...stored.settingsNotApplied])];
    await this.calls.storeSettingsNotApplied(call.id, settingsNotApplied);
    return { ...stored, settingsNotApplied };
  }

  /**
   * Opens a session over a line, with the background sound of the assistant. With an unreachable model or provider the
   * session becomes `failed`.
   *
   * @param takesUtterance as in `SpeechSessionsService.openSession`
   * @returns also the model of the responses; undefined: the language model
   */
  async openSession(
    callId: number,
    line: AudioLine,
    { assistant, relay, realtime, speech }: CallSpeechPlan,
    metrics: RealtimeMetrics,
    takesUtterance?: () => boolean,
  ): Promise<{ session: AudioSession; model: StreamingModel | undefined }> {
    const markedLine = new MarkedLine(line, this.clock);
    const ambientLine = AmbientLine.wrap(markedLine, assistant.ambientSound, relay.ambientSoundVolume);
    if (realtime) {
      const settings = sessionSettings(realtime, line.format);
      const { clock, detector, turnModel } = this;
      const parts = [detector, metrics, turnModel] as const;
      const session = new RealtimeSession(ambientLine, clock, settings, realtime, ...parts);
      metrics.countOpened();
      await session.connect({
        connect: (...request) => this.connections.connect(callId, ...request),
      });
      return { session, model: session };
    }
    if (!speech) throw new Error('An audio line has neither a realtime model nor speech providers');
    const onProviderFailed = (failed: FailedProvider, error: SpeechError): void =>
      this.storeFailure(callId, failed, error);
    const session = this.speech.openSession(ambientLine, speech, {
      relay,
      interrupts: (words, language) => isInterruption(words, language, relay.minInterruptWords),
      isShortAnswer,
      takesUtterance,
      onProviderFailed,
    });
    return { session, model: undefined };
  }

  /** Writes one after the other, without delaying the call. */
  private storeFailure(callId: number, failed: FailedProvider, { message }: SpeechError): void {
    const at = new Date(this.clock.now()).toISOString();
    const failure = { ...failed, reason: message.slice(0, MAX_REASON), at };
    const written = (this.pendingWrites.get(callId) ?? Promise.resolve())
      .then(() => this.calls.storeProviderFailure(callId, failure))
      .catch((error: unknown) =>
        this.logger.warn(`The failure of a provider was not stored: ${String(error)}`),
      )
      .finally(() => {
        if (this.pendingWrites.get(callId) === written) this.pendingWrites.delete(callId);
      });
    this.pendingWrites.set(callId, written);
  }

  /** API names of the settings that do not apply on the line of this plan. */
  settingsNotApplied(plan: CallSpeechPlan): string[] {
    return [...new Set([...plan.assistant.replaced, ...this.lineSettingsNotApplied(plan)])];
  }

  private lineSettingsNotApplied({ assistant, relay, realtime, speech }: CallSpeechPlan): string[] {
    if (realtime) return settingsNotAppliedInRealtime(assistant);
    const mode = assistant.mode === 'multimodal' ? [ENGINE_TYPE_SETTING] : [];
    if (speech) return [...mode, ...this.speech.settingsNotApplied(speech, relay)];
    const providers = assistant.synthesizerProviderId === null ? [] : SPEECH_PROVIDER_SETTINGS;
    return [...mode, ...providers, ...this.carrier.settingsNotApplied(relay)];
  }
}
