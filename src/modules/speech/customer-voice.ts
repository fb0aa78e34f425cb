import { SAMPLE_RATE, type AudioLine } from '#src/modules/media/audio-line.js';
import type { RelaySettings } from '../telephony/call-session.js';
import { SpeakerPauses } from './speaker-pauses.js';
import type { Transcriber } from './transcriber.js';
import { type VoiceActivity, type VoiceActivityDetector, VoiceTurnDetector } from './voice-activity.js';

/** Voice without a word after which it counts as noise, where words are known while the customer speaks. */
const NOISE_MS = 2_000;

export interface CustomerVoiceListener {
  /** For how long the present speech of the assistant has been heard, in milliseconds. */
  audibleMs(): number;
  started(): void;
  /** The voice lasts long enough to interrupt. @returns whether it stopped speech of the assistant */
  interrupts(): boolean;
  /** The voice has no words: music, a television, a loud street. It may go on. */
  isNoise(): void;
  ended(): void;
}

/** The voice on a line: turns of the customer, each of which interrupts the assistant once, and noise. */
export class CustomerVoice {
  private readonly activity: VoiceActivity;
  private readonly turns: VoiceTurnDetector;
  private readonly pauses: SpeakerPauses;
  private isClosed = false;
  private hasInterrupted = false;
  private hasWords = false;
  private isNoise = false;

  constructor(
    private readonly parts: {
      detector: VoiceActivityDetector;
      line: Pick<AudioLine, 'format'>;
      transcriber: Pick<Transcriber, 'sendsPartials'>;
    },
    private readonly relay: RelaySettings,
    private readonly on: CustomerVoiceListener,
  ) {
    this.pauses = new SpeakerPauses(endOfTurnSilenceMs(relay), () => on.audibleMs());
    this.turns = new VoiceTurnDetector(() => this.pauses.endOfTurnMs, {
      speechStarted: () => this.start(),
      speechContinued: (ms) => this.continue(ms),
      speechEnded: () => on.ended(),
    });
    const { detector, line } = parts;
    this.activity = detector.open(SAMPLE_RATE[line.format], (isVoice, ms) => this.addFrame(isVoice, ms));
  }

  push(samples: Int16Array): void {
    this.activity.push(samples);
  }

  /** Words of the assistant were played. */
  markPlayed(): void {
    this.pauses.markPlayed();
  }

  /** The voice has words. */
  markWords(): void {
    this.hasWords = true;
  }

  /** The line is closed: a voice that speaks ends with it. */
  close(): void {
    this.isClosed = true;
    this.turns.endAudio();
    this.activity.close();
  }

  private addFrame(isVoice: boolean, ms: number): void {
    if (this.isClosed) return;
    this.pauses.addFrame(isVoice, ms);
    this.turns.addFrame(isVoice, ms);
  }

  private start(): void {
    this.hasInterrupted = this.hasWords = this.isNoise = false;
    this.on.started();
  }

  private get requiredMs(): number {
    return this.pauses.requiredVoiceMs(this.relay.interruptSensitivity * 1000);
  }

  private continue(ms: number): void {
    const { sendsPartials } = this.parts.transcriber;
    if (!this.hasInterrupted && !this.isNoise && ms >= this.requiredMs)
      this.hasInterrupted = this.on.interrupts();
    if (!sendsPartials || this.hasWords || this.isNoise || ms < NOISE_MS) return;
    this.isNoise = true;
    this.on.isNoise();
  }
}

/** Milliseconds, as on a relay line: longer for slow speakers. */
export const endOfTurnSilenceMs = ({ endpointSensitivity }: RelaySettings): number =>
  Math.round(Math.min(5_000, Math.max(600, endpointSensitivity * 1000)));
