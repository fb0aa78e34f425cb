import type { Clock } from '#src/modules/conversations/engine/clock.js';
import { milliseconds, type CallFacts } from './scenario.types.js';
import { wordsOf } from './speech-queue.js';

const MISHEARD = 'whether ';

/** When an utterance of the customer ended, and when its words were passed on, by the clock. */
export interface Prompt {
  endedAt: number;
  knownAt: number;
}

/** An utterance of the customer, as the line passes it on. */
export interface Recognised {
  /** An interim word. */
  interim(word: string): void;
  /** The silence after it was long enough. @param text what was said */
  ended(text: string): void;
  /** The words are known; empty: there are none. */
  known(text: string): void;
}

export interface RecognitionTimes {
  /** Silence that ends an utterance, in milliseconds. */
  silenceMs: () => number;
  /** From the end of an utterance until its words are known. */
  wordsAfterMs: number;
  /** From a word until it is known as an interim result; null: there are no interim results. */
  interimAfterMs: number | null;
  interimWrong: boolean;
}

export const recognitionTimes = (
  call: CallFacts,
  defaultMs: number,
  silenceMs: () => number,
): RecognitionTimes => ({
  silenceMs,
  wordsAfterMs: call.words_after === null ? defaultMs : milliseconds(call.words_after),
  interimAfterMs: call.interim_after === 'never' ? null : milliseconds(call.interim_after),
  interimWrong: call.interim_wrong,
});

/** From the end of an utterance until its words are known; null: they never are. */
export type WordsAfter = number | null;

interface Utterance {
  texts: string[];
  on: Recognised;
  cancelEnd: () => void;
}

/**
 * The recogniser of a line. Words are known some time after the utterance has ended, and it ends by silence: what
 * follows a shorter pause belongs to it.
 */
export class Recognition {
  private current: Utterance | null = null;
  private isVoice = false;

  constructor(
    private readonly clock: Clock,
    private readonly times: RecognitionTimes,
    /** A new utterance begins. */
    private readonly begin: () => Recognised,
  ) {}

  /** The customer's voice. Resolves when it is over. */
  async hear(text: string, ms: number, wordsAfterMs: WordsAfter = this.times.wordsAfterMs): Promise<void> {
    const utterance = (this.current ??= { texts: [], on: this.begin(), cancelEnd: () => undefined });
    utterance.cancelEnd();
    this.isVoice = true;
    this.scheduleInterim(utterance, text, ms);
    await this.wait(ms);
    this.isVoice = false;
    if (text !== '') utterance.texts.push(text);
    utterance.cancelEnd = this.clock.setTimeout(
      () => this.end(utterance, wordsAfterMs),
      this.times.silenceMs(),
    );
  }

  /** The line is closed. */
  stop(): void {
    this.current?.cancelEnd();
    this.current = null;
  }

  private end(utterance: Utterance, wordsAfterMs: WordsAfter): void {
    if (this.isVoice || this.current !== utterance) return;
    const text = utterance.texts.join(' ');
    this.current = null;
    utterance.on.ended(text);
    if (wordsAfterMs !== null) this.clock.setTimeout(() => utterance.on.known(text), wordsAfterMs);
  }

  private scheduleInterim({ on }: Utterance, text: string, ms: number): void {
    const { interimAfterMs, interimWrong } = this.times;
    if (interimAfterMs === null) return;
    const words = wordsOf(text);
    for (const [index, word] of words.entries()) {
      const known = interimWrong && index % 2 === 1 ? MISHEARD : word;
      this.clock.setTimeout(() => on.interim(known), (ms * (index + 1)) / words.length + interimAfterMs);
    }
  }

  private wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.clock.setTimeout(resolve, ms));
  }
}
