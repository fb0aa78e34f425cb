import type { Clock } from '../engine/clock.js';
import { countWords, isBackchannel } from '../engine/interruption-policy.js';

export interface InterruptionRules {
  allowInterruptions: boolean;
  /** Seconds of the customer's speech that it takes to interrupt, 0–5; where words are counted, the words do. */
  interruptSensitivity: number;
  minInterruptWords: number;
}

/** Decides while the customer is speaking whether the assistant is interrupted. */
export class InterruptionGate {
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
  heardWords(text: string, language: string): void {
    this.words += text;
    this.judge(this.words, language);
  }

  /** All words of an utterance, whatever was heard of them before. */
  heardAll(text: string, language: string): void {
    this.words = '';
    this.judge(text, language);
  }

  /** A pressed key interrupts at once. */
  keyPressed(): void {
    if (this.rules.allowInterruptions) this.onInterruption();
  }

  private judge(text: string, language: string): void {
    const { allowInterruptions, minInterruptWords } = this.rules;
    if (!allowInterruptions || isBackchannel(text, language)) return;
    if (countWords(text, language) >= Math.max(1, minInterruptWords)) this.onInterruption();
  }
}
