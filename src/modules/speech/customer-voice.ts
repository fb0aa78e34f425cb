import { SAMPLE_RATE, type AudioLine } from '#src/modules/media/audio-line.js';
import type { RelaySettings } from '../telephony/call-session.js';
import { EndOfTurn } from './end-of-turn/end-of-turn.js';
import type { EndOfTurnModel } from './end-of-turn/end-of-turn-model.js';
import type { Transcriber } from './transcriber.js';
import { type VoiceActivity, type VoiceActivityDetector, VoiceTurnDetector } from './voice-activity.js';

/** Voice without a word after which it counts as noise … */
const NOISE_MS = 2_000;
/** … and after which its words are asked for, where they are known at its end only. */
const ASKED_AFTER_MS = 1_200;

export interface CustomerVoiceParts {
  detector: VoiceActivityDetector;
  /** Absent: none. */
  turnModel?: EndOfTurnModel;
  line: Pick<AudioLine, 'format'>;
  transcriber: Pick<Transcriber, 'sendsPartials' | 'endsTurns'>;
}

export interface CustomerVoiceListener {
  /** For how long the present speech of the assistant has been heard, in milliseconds. */
  audibleMs(): number;
  started(): void;
  /** The voice lasts long enough to interrupt. @returns whether it stopped speech of the assistant */
  interrupts(): boolean;
  /** The voice keeps the assistant from speaking, or stops it by its words, and goes on: these have to be known. */
  needsWords(): void;
  /** The voice has no words: music, a television, a loud street. It may go on. */
  isNoise(): void;
  /** @param isNoise it counted as noise, and it is known that no words followed */
  ended(isNoise: boolean): void;
  /** As in `EndOfTurnSigns`. */
  isShortAnswer(heard: string, words: string): boolean;
}

/** The voice on a line: turns of the customer, each of which interrupts the assistant once, and noise. */
export class CustomerVoice {
  private readonly activity: VoiceActivity;
  private readonly turns: VoiceTurnDetector;
  private readonly end: EndOfTurn;
  private isClosed = false;
  private hasInterrupted = false;
  /** A voice that is long enough to stop the assistant has no words yet. */
  private isUnconfirmed = false;
  /** Whether the voice has words; null: not known yet. */
  private hasWords: boolean | null = null;
  private isNoise = false;
  /** Whether the words so far were asked for: once in a voice, because each time is a request. */
  private hasAsked = false;
  private voicedMs = 0;
  /** Whether the customer has said something to which the assistant has said nothing yet. */
  private isAnswerDue = false;
  /** Interim words of the utterance. */
  private interim = '';

  constructor(
    private readonly parts: CustomerVoiceParts,
    private readonly relay: RelaySettings,
    private readonly on: CustomerVoiceListener,
  ) {
    const { detector, line } = parts;
    const sampleRate = SAMPLE_RATE[line.format];
    this.end = new EndOfTurn(endOfTurnSilenceMs(relay), () => on.audibleMs(), {
      model: parts.transcriber.endsTurns(relay) ? undefined : parts.turnModel,
      sampleRate,
      isShortAnswer: (heard, words) => on.isShortAnswer(heard, words),
    });
    this.turns = new VoiceTurnDetector(() => this.end.silenceMs, {
      speechStarted: () => this.start(),
      speechContinued: (ms) => this.continue(ms),
      speechEnded: () => this.endVoice(),
    });
    this.activity = detector.open(sampleRate, (isVoice, ms) => this.addFrame(isVoice, ms));
  }

  push(samples: Int16Array): void {
    this.end.addAudio(samples);
    this.activity.push(samples);
  }

  /** Words of the assistant were played. */
  markPlayed(text: string): void {
    this.isAnswerDue = false;
    this.end.markPlayed(text);
  }

  /**
   * A part of the customer's speech, or all of it, is transcribed.
   *
   * @param words of the utterance so far, empty without any
   * @returns whether the transcript is final or has words that were not known before
   */
  markTranscribed(words: string, isFinal: boolean): boolean {
    const isNew = words !== '' && words !== this.interim;
    this.interim = isFinal ? '' : words;
    if (words !== '') {
      this.isUnconfirmed = false;
      this.end.setWords(words);
    } else if (isFinal) this.markWordless();
    // Final words are those of a voice that has ended, and say nothing of the present one.
    if (isFinal) this.isAnswerDue ||= words !== '';
    else if (words !== '') this.hasWords = true;
    else if (this.hasAsked) {
      this.hasWords = false;
      this.checkNoise();
    }
    return isFinal || isNew;
  }

  /** The line is closed: a voice that speaks ends with it. */
  close(): void {
    this.isClosed = true;
    this.turns.endAudio();
    this.activity.close();
  }

  private addFrame(isVoice: boolean, ms: number): void {
    if (this.isClosed) return;
    this.end.addFrame(isVoice, ms);
    this.turns.addFrame(isVoice, ms);
  }

  private start(): void {
    this.hasInterrupted = this.isNoise = this.hasAsked = false;
    this.interim = '';
    this.voicedMs = 0;
    this.hasWords = this.parts.transcriber.sendsPartials ? false : null;
    this.on.started();
  }

  private get requiredMs(): number {
    return this.end.requiredVoiceMs(this.usualMs, this.relay.minInterruptWords);
  }

  private get usualMs(): number {
    return this.relay.interruptSensitivity * 1000;
  }

  private continue(ms: number): void {
    this.voicedMs = ms;
    const { requiredMs } = this;
    if (!this.isNoise && !this.hasWords && ms >= this.usualMs) this.isUnconfirmed = true;
    if (!this.hasInterrupted && !this.isNoise && ms >= requiredMs && this.on.interrupts())
      this.hasInterrupted = this.isUnconfirmed = true;
    if (ms < ASKED_AFTER_MS) return;
    const decides = this.hasInterrupted || this.isAnswerDue || requiredMs === Infinity;
    if (decides && this.hasWords === null && !this.hasAsked) {
      this.hasAsked = true;
      this.on.needsWords();
    }
    this.checkNoise();
  }

  private endVoice(): void {
    const { isNoise, hasWords, hasAsked } = this;
    // Most of it has no words; those of its end are heard when they are known.
    if (hasAsked && hasWords === false && !isNoise) this.dismiss();
    this.on.ended(this.parts.transcriber.sendsPartials && isNoise && !hasWords);
  }

  private checkNoise(): void {
    if (this.hasWords === false && !this.isNoise && this.voicedMs >= NOISE_MS) this.dismiss();
  }

  private dismiss(): void {
    this.isNoise = true;
    this.markWordless();
    this.on.isNoise();
  }

  private markWordless(): void {
    if (this.isUnconfirmed) this.end.markWordlessVoice();
    this.isUnconfirmed = false;
  }
}

/** Milliseconds, as on a relay line: longer for slow speakers. */
export const endOfTurnSilenceMs = ({ endpointSensitivity }: RelaySettings): number =>
  Math.round(Math.min(5_000, Math.max(600, endpointSensitivity * 1000)));
