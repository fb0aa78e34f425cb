import type { Clock } from '../engine/clock.js';
import { isInterruption } from '../engine/interruption-policy.js';
import type { TurnEnds } from './turn-ends.js';

export interface InterruptionRules {
  allowInterruptions: boolean;
  /** Seconds of the customer's voice before an interruption, 0–5. */
  interruptSensitivity: number;
  minInterruptWords: number;
}

/**
 * Decides while the customer is speaking whether the speech is a barge-in: by the duration of the voice, which stops
 * the assistant once in each speech, and by words, which also decide about shorter voice.
 */
export class BargeInDetector {
  private words = '';
  private isSpeaking = false;
  /** The voice in this speech is measured, also where there is none. */
  private isMeasured = false;
  private hasInterrupted = false;
  /** A voice that is long enough to stop the assistant has no words yet. */
  private isUnconfirmed = false;
  private cancel: () => void = () => undefined;

  constructor(
    private readonly clock: Clock,
    private readonly rules: InterruptionRules,
    private readonly turnEnds: Pick<
      TurnEnds,
      'silenceMs' | 'requiredVoiceMs' | 'setWords' | 'markWordlessVoice'
    >,
    /** @returns whether it stopped speech of the assistant */
    private readonly onInterruption: () => boolean,
  ) {}

  speechStarted(): void {
    this.words = '';
    this.isSpeaking = true;
    this.isMeasured = this.hasInterrupted = false;
    this.cancel();
    if (!this.rules.allowInterruptions) return;
    const { requiredMs } = this;
    if (requiredMs === 0) return this.interruptByVoice();
    if (requiredMs === Infinity) return;
    // Where the voice cannot be measured: the speech has not ended, so that it was longer than the provider's silence.
    this.cancel = this.clock.setTimeout(() => {
      if (!this.isMeasured) this.interruptByVoice();
    }, requiredMs + this.turnEnds.silenceMs);
  }

  /** The audio of the current speech is searched for voice. */
  markMeasured(): void {
    this.isMeasured = true;
  }

  /** @param ms of voice in the current speech */
  addVoice(ms: number): void {
    this.isMeasured = true;
    if (ms >= this.rules.interruptSensitivity * 1000) this.isUnconfirmed = true;
    if (this.rules.allowInterruptions && ms >= this.requiredMs) this.interruptByVoice();
  }

  speechStopped(): void {
    this.isSpeaking = false;
    this.cancel();
  }

  /** Whether the voice before was that of words. */
  confirm(hasWords: boolean): void {
    if (!hasWords && this.isUnconfirmed) this.turnEnds.markWordlessVoice();
    this.isUnconfirmed = false;
  }

  /** Words of the current speech, one after the other. @param language BCP 47 */
  addWords(text: string, language: string): void {
    this.isUnconfirmed = false;
    this.words += text;
    this.turnEnds.setWords(this.words, language);
    if (this.isInterruption(this.words, language)) this.onInterruption();
  }

  /** Whether these are the words of an interruption. @param language BCP 47 */
  isInterruption(text: string, language: string): boolean {
    const { allowInterruptions, minInterruptWords } = this.rules;
    return allowInterruptions && isInterruption(text, language, minInterruptWords);
  }

  /** A pressed key interrupts at once. */
  keyPressed(): void {
    if (this.rules.allowInterruptions) this.onInterruption();
  }

  private get requiredMs(): number {
    const { interruptSensitivity, minInterruptWords } = this.rules;
    return this.turnEnds.requiredVoiceMs(interruptSensitivity * 1000, minInterruptWords);
  }

  private interruptByVoice(): void {
    if (!this.isSpeaking || this.hasInterrupted) return;
    if (this.onInterruption()) this.hasInterrupted = this.isUnconfirmed = true;
  }
}
