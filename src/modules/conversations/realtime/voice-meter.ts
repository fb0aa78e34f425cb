import { SAMPLE_RATE, type AudioFormat } from '#src/modules/media/audio-line.js';
import { decodeAudio } from '../../speech/audio/audio-format.js';
import {
  type VoiceActivity,
  type VoiceActivityDetector,
  VoiceTurnDetector,
} from '../../speech/voice-activity.js';
import type { Clock } from '../engine/clock.js';
import type { TurnEnds } from './turn-ends.js';

/** Silence after which voice that the provider has not detected is not part of the next turn. */
const FORGET_AFTER_MS = 600;

export interface VoiceMeterListener {
  /** Voice begins. */
  voiceStarted(): void;
  /** Audio of a turn was classified. */
  turnMeasured(): void;
  /** Voice continues in a turn. @param ms of voice in it so far */
  voiceContinued(ms: number): void;
  /** The voice is over for `endMs`. @param ms of voice in the turn so far */
  voiceEnded(ms: number): void;
}

/** Measures the voice in the customer's turns, without the silence that the provider waits for at their end. */
export class VoiceMeter {
  /** When voice was last measured, in milliseconds. */
  lastVoiceAt = -Infinity;
  /** From the start of voice to its end. */
  isVoice = false;
  private readonly activity: VoiceActivity;
  private readonly voice: VoiceTurnDetector;
  private voicedMs = 0;
  private silentMs = 0;
  private isTurnOpen = false;
  /** The detector has classified audio of the turn. */
  private isTurnMeasured = false;
  private turnStartedAt = 0;

  /** @param endMs silence at the end of voice */
  constructor(
    private readonly clock: Clock,
    detector: VoiceActivityDetector,
    private readonly format: AudioFormat,
    private readonly turnEnds: Pick<TurnEnds, 'addAudio' | 'addFrame' | 'silenceMs'>,
    endMs: () => number,
    private readonly on: VoiceMeterListener,
  ) {
    this.activity = detector.open(SAMPLE_RATE[format], (isVoice, ms) => this.addFrame(isVoice, ms));
    this.voice = new VoiceTurnDetector(endMs, {
      speechStarted: () => {
        this.isVoice = true;
        on.voiceStarted();
      },
      speechContinued: () => undefined,
      speechEnded: () => {
        this.isVoice = false;
        on.voiceEnded(this.voicedMs);
      },
    });
  }

  push(audio: Buffer): void {
    const samples = decodeAudio(audio, this.format);
    this.turnEnds.addAudio(samples);
    this.activity.push(samples);
  }

  /** Voice just before the turn is part of it. */
  beginTurn(): void {
    this.isTurnOpen = true;
    this.isTurnMeasured = false;
    this.turnStartedAt = this.clock.now();
    if (this.voicedMs > 0) this.on.voiceContinued(this.voicedMs);
  }

  /**
   * @returns milliseconds of voice in the turn; where the detector has classified nothing of it, or has not heard the
   * customer in the call, of the turn without its silence
   */
  endTurn(): number {
    const { voicedMs, turnStartedAt, turnEnds, isTurnOpen } = this;
    const isMeasured = this.isTurnMeasured && this.lastVoiceAt !== -Infinity;
    this.isTurnOpen = false;
    this.voicedMs = 0;
    if (!isTurnOpen || voicedMs > 0 || isMeasured) return voicedMs;
    return Math.max(0, this.clock.now() - turnStartedAt - turnEnds.silenceMs);
  }

  close(): void {
    this.activity.close();
  }

  private addFrame(isVoice: boolean, ms: number): void {
    this.turnEnds.addFrame(isVoice, ms);
    this.isTurnMeasured = true;
    if (this.isTurnOpen) this.on.turnMeasured();
    if (isVoice) {
      this.lastVoiceAt = this.clock.now();
      this.silentMs = 0;
      this.voicedMs += ms;
      if (this.isTurnOpen) this.on.voiceContinued(this.voicedMs);
    } else {
      this.silentMs += ms;
      if (!this.isTurnOpen && this.silentMs >= FORGET_AFTER_MS) this.voicedMs = 0;
    }
    this.voice.addFrame(isVoice, ms);
  }
}
