import type { Clock } from '../engine/clock.js';
import { countWords, isBackchannel } from '../engine/interruption-policy.js';

export interface InterruptionRules {
  allowInterruptions: boolean;
  /** Seconds of the customer's speech before an interruption, 0–5; not used where words are counted. */
  interruptSensitivity: number;
  minInterruptWords: number;
}

/** Decides while the customer is speaking whether the speech is a barge-in. */
export class BargeInDetector {
  private words = '';
  private cancel: () => void = () => undefined;

  constructor(
    private readonly clock: Clock,
    private readonly rules: InterruptionRules,
    private readonly onInterruption: () => void,
  ) {}

  speechStarted(): void {
    this.words = '';
    this.cancel();
    const { allowInterruptions, interruptSensitivity, minInterruptWords } = this.rules;
    if (!allowInterruptions || minInterruptWords > 1) return;
    this.cancel = this.clock.setTimeout(this.onInterruption, interruptSensitivity * 1000);
  }

  speechStopped(): void {
    this.cancel();
  }

  /** @param language BCP 47 */
  addWords(text: string, language: string): void {
    this.words += text;
    this.evaluate(this.words, language);
  }

  /** The complete transcript of an utterance; replaces earlier pieces. */
  setTranscript(text: string, language: string): void {
    this.words = '';
    this.evaluate(text, language);
  }

  /** A pressed key interrupts at once. */
  keyPressed(): void {
    if (this.rules.allowInterruptions) this.onInterruption();
  }

  private evaluate(text: string, language: string): void {
    const { allowInterruptions, minInterruptWords } = this.rules;
    if (!allowInterruptions || isBackchannel(text, language)) return;
    if (countWords(text, language) >= Math.max(1, minInterruptWords)) this.onInterruption();
  }
}
