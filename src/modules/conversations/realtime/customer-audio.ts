import type { AudioFormat } from '#src/modules/media/audio-line.js';
import { silenceOf } from '../../speech/audio/audio-format.js';
import type { EndOfTurnModel } from '../../speech/end-of-turn/end-of-turn-model.js';
import type { RealtimeConnection, RealtimeEvent, RealtimeSettings } from '../../speech/realtime-model.js';
import { longestSilenceMs } from '../../speech/speaker-pauses.js';
import type { VoiceActivityDetector } from '../../speech/voice-activity.js';
import type { Clock } from '../engine/clock.js';
import { BargeInDetector, type InterruptionRules } from './barge-in-detector.js';
import { CustomerTurns, type CustomerTurnsListener } from './customer-turns.js';
import { TurnEnds } from './turn-ends.js';
import { VoiceMeter } from './voice-meter.js';

/** Longer than any silence for which a provider waits at the end of a turn. */
const SILENCE_AT_END_MS = 8_000;
/** Time after the silence that ends a turn, in which the provider, which hears the same silence, ends it itself … */
const GRACE_MS = 300;
/** … unless it has taken noise for speech less than this before. */
const NOISE_MS = 30_000;
/** Then a silence that is longer than the configured one is shortened by this: the words, which are later, are waited for. */
const WORDS_MS = 200;
/** Voice in a turn that may end without the provider, such as that of a short "yes" in noise; shorter is a click. */
const MIN_VOICE_MS = 100;

/** Events of the customer's speech. */
export type CustomerEvent = Extract<RealtimeEvent, { kind: 'speech' | 'words' | 'committed' | 'heard' }>;

export interface CustomerAudioListener extends CustomerTurnsListener {
  /** A turn begins or ends. */
  speaking(on: boolean): void;
  /** Words of the turn that is being spoken. */
  words(text: string): void;
  /** The customer's voice or words interrupt. @returns whether they stopped speech of the assistant */
  interrupts(): boolean;
}

export interface CustomerAudioDependencies {
  clock: Clock;
  detector: VoiceActivityDetector;
  turnModel: EndOfTurnModel | undefined;
  /** As in `SpeakerPauses`. */
  audibleMs: () => number;
  /** Null: not connected. */
  connection: () => RealtimeConnection | null;
}

/**
 * The customer's side of a session: their audio, the turns in it, and whether these interrupt the assistant. The
 * provider tells where turns begin and end. Where sounds behind the customer keep it in speech, the service's own voice
 * detection does: a turn ends with the silence after its voice, and the next one begins with voice.
 */
export class CustomerAudio {
  readonly bargeIn: BargeInDetector;
  readonly turns: CustomerTurns;
  private readonly turnEnds: TurnEnds;
  private readonly voice: VoiceMeter;
  private readonly clock: Clock;
  private readonly format: AudioFormat;
  private readonly connection: () => RealtimeConnection | null;
  private language: string;
  /** The provider has reported speech that has not ended, of the customer or of the noise around them. */
  private isProviderInSpeech = false;
  /** When the provider last took noise for speech. */
  private noiseAt = -Infinity;

  constructor(
    settings: RealtimeSettings,
    rules: InterruptionRules,
    { clock, detector, turnModel, audibleMs, connection }: CustomerAudioDependencies,
    private readonly on: CustomerAudioListener,
  ) {
    this.clock = clock;
    this.connection = connection;
    this.format = settings.format;
    this.language = settings.language;
    this.turnEnds = new TurnEnds(settings, turnModel, audibleMs, (detection) =>
      connection()?.setTurnDetection(detection),
    );
    this.bargeIn = new BargeInDetector(clock, rules, this.turnEnds, () => on.interrupts());
    this.turns = new CustomerTurns(clock, on);
    const endMs = (): number => this.ownEndMs(settings.turnDetection);
    this.voice = new VoiceMeter(clock, detector, this.format, this.turnEnds, endMs, {
      voiceStarted: () => this.beginOwnTurn(),
      turnMeasured: () => this.bargeIn.markMeasured(),
      voiceContinued: (ms) => this.bargeIn.addVoice(ms),
      voiceEnded: (ms) => this.endOwnTurn(ms),
    });
  }

  get lastVoiceAt(): number {
    return this.voice.lastVoiceAt;
  }

  push(audio: Buffer): void {
    this.voice.push(audio);
    this.connection()?.appendAudio(audio);
  }

  /** @param language BCP 47 */
  switchLanguage(language: string): void {
    this.language = language;
    this.connection()?.setTranscriptionLanguage(language);
  }

  /** Words of the assistant were played. */
  markPlayed(text: string): void {
    this.turnEnds.markPlayed(text);
  }

  /** Whether these are the words of an interruption. */
  isInterruption(text: string): boolean {
    return this.bargeIn.isInterruption(text, this.language);
  }

  handleEvent(event: CustomerEvent): void {
    const { turns } = this;
    switch (event.kind) {
      case 'speech':
        this.isProviderInSpeech = event.on;
        if (event.on) return this.beginTurn();
        return turns.isBeingSpoken(event.itemId) ? this.endTurn(event.itemId) : turns.addNoise(event.itemId);
      case 'words':
        // Of an ended turn the whole transcript decides: its response may be playing already.
        if (!turns.isBeingSpoken(event.itemId)) return;
        this.bargeIn.addWords(event.text, this.language);
        return this.on.words(event.text);
      case 'committed':
        return this.handleCommitted(event.itemId);
      case 'heard':
        return turns.handleTranscript(event.itemId, event.text);
    }
  }

  /** The call has ended. The provider ends the turn that is being spoken after silence, unless the model has failed. */
  close(hasFailed: boolean): void {
    this.bargeIn.speechStopped();
    if (hasFailed) this.turns.breakOff(this.voice.endTurn());
    else if (this.turns.isSpeaking) this.connection()?.appendAudio(silenceOf(SILENCE_AT_END_MS, this.format));
    this.voice.close();
  }

  /** Silence after which the service ends a turn. */
  private ownEndMs(detection: RealtimeSettings['turnDetection']): number {
    const { silenceMs } = this.turnEnds;
    // By the meaning, the provider may let a silence pass on purpose.
    const [usualMs, endMs] =
      detection.by === 'silence' ? [detection.silenceMs, silenceMs] : [0, longestSilenceMs(silenceMs)];
    if (this.clock.now() - this.noiseAt >= NOISE_MS) return endMs + GRACE_MS;
    return Math.max(Math.min(endMs, usualMs), endMs - WORDS_MS);
  }

  private beginTurn(): void {
    this.turns.speechStarted();
    this.bargeIn.speechStarted();
    this.voice.beginTurn();
    this.on.speaking(true);
  }

  private endTurn(itemId: string): void {
    const voicedMs = this.voice.endTurn();
    if (voicedMs === 0) this.noiseAt = this.clock.now();
    this.bargeIn.speechStopped();
    this.turns.speechEnded(itemId, voicedMs);
    this.on.speaking(false);
  }

  /** Audio that is committed while it is being spoken ends the turn, also where the end of its speech is not reported. */
  private handleCommitted(itemId: string): void {
    const isEnd = this.turns.isBeingSpoken(itemId);
    if (isEnd) this.endTurn(itemId);
    else this.turns.addNoise(itemId);
    this.turns.commit(itemId);
    // The customer has gone on meanwhile.
    if (isEnd && this.voice.isVoice) this.beginOwnTurn();
  }

  /** The provider, which is in speech already, reports no start. */
  private beginOwnTurn(): void {
    if (this.isProviderInSpeech && !this.turns.isSpeaking) this.beginTurn();
  }

  /** The provider has not reported the end. A refusal is harmless: its own end is on the way. */
  private endOwnTurn(voicedMs: number): void {
    if (!this.turns.isSpeaking || voicedMs < MIN_VOICE_MS) return;
    this.noiseAt = this.clock.now();
    this.connection()?.commitAudio();
  }
}
