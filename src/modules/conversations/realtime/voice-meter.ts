import { SAMPLE_RATE, type AudioFormat } from '#src/modules/media/audio-line.js';
import { decodeAudio } from '../../speech/audio/audio-format.js';
import type { VoiceActivity, VoiceActivityDetector } from '../../speech/voice-activity.js';
import type { Clock } from '../engine/clock.js';
import type { TurnEnds } from './turn-ends.js';

/** Silence after which voice that the provider has not detected is not part of the next turn. */
const FORGET_AFTER_MS = 600;

/** Measures the voice in the customer's turns, without the silence that the provider waits for at their end. */
export class VoiceMeter {
  /** When voice was last measured, in milliseconds. */
  lastVoiceAt = -Infinity;
  private readonly activity: VoiceActivity;
  private voicedMs = 0;
  private silentMs = 0;
  private isTurnOpen = false;
  private turnStartedAt = 0;

  constructor(
    private readonly clock: Clock,
    detector: VoiceActivityDetector,
    private readonly format: AudioFormat,
    /** Voice continues in a turn. @param ms of voice in it so far */
    private readonly onVoice: (ms: number) => void,
    private readonly turnEnds: Pick<TurnEnds, 'addAudio' | 'addFrame' | 'silenceMs'>,
  ) {
    this.activity = detector.open(SAMPLE_RATE[format], (isVoice, ms) => this.addFrame(isVoice, ms));
  }

  push(audio: Buffer): void {
    const samples = decodeAudio(audio, this.format);
    this.turnEnds.addAudio(samples);
    this.activity.push(samples);
  }

  /** The provider has detected speech: voice just before it is part of the turn. */
  beginTurn(): void {
    this.isTurnOpen = true;
    this.turnStartedAt = this.clock.now();
    if (this.voicedMs > 0) this.onVoice(this.voicedMs);
  }

  /** @returns milliseconds of voice in the turn; where the detector found none, of the turn without its silence */
  endTurn(): number {
    const { voicedMs, turnStartedAt, turnEnds } = this;
    this.isTurnOpen = false;
    this.voicedMs = 0;
    return voicedMs || Math.max(0, this.clock.now() - turnStartedAt - turnEnds.silenceMs);
  }

  close(): void {
    this.activity.close();
  }

  private addFrame(isVoice: boolean, ms: number): void {
    this.turnEnds.addFrame(isVoice, ms);
    if (isVoice) {
      this.lastVoiceAt = this.clock.now();
      this.silentMs = 0;
      this.voicedMs += ms;
      if (this.isTurnOpen) this.onVoice(this.voicedMs);
      return;
    }
    this.silentMs += ms;
    if (!this.isTurnOpen && this.silentMs >= FORGET_AFTER_MS) this.voicedMs = 0;
  }
}
