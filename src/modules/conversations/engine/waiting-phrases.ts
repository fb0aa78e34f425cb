import type { Clock } from './clock.js';

const FIRST_AFTER_MS = 4_000;
const FIRST_AFTER_BREAK_MS = 1_000;
const NEXT_AFTER_MS = 5_000;

/** Tells a customer who waits for an answer that the assistant is still there. */
export class WaitingPhrases {
  private said = 0;
  private cancel: (() => void) | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly phrases: () => readonly string[],
    /** Says the phrase, unless somebody is speaking. */
    private readonly say: (phrase: string) => void,
    /** Whether the customer has been waiting since before the session broke. */
    private readonly waited: boolean,
  ) {}

  /** The customer begins to wait; a wait that has begun goes on. */
  start(): void {
    this.cancel ??= this.after(this.waited ? FIRST_AFTER_BREAK_MS : FIRST_AFTER_MS);
  }

  stop(): void {
    this.cancel?.();
    this.cancel = null;
  }

  private after(ms: number): () => void {
    return this.clock.setTimeout(() => {
      const phrases = this.phrases();
      const phrase = phrases[this.said++ % phrases.length];
      if (phrase !== undefined) this.say(phrase);
      this.cancel = this.after(NEXT_AFTER_MS);
    }, ms);
  }
}
