import type { Clock } from './clock.js';

/** After the end of the customer's speech … */
const FIRST_AFTER_MS = 2_500;
/** … but not before the model has had this long. */
const MIN_AFTER_MS = 700;
const FIRST_AFTER_BREAK_MS = 1_000;
const NEXT_AFTER_MS = 5_000;

/** Reassures a waiting customer with phrases while a response takes long. */
export class WaitingPhrases {
  private spokenCount = 0;
  private cancel: (() => void) | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly phrases: () => readonly string[],
    /** Speaks the phrase, unless one side is speaking. */
    private readonly say: (phrase: string) => void,
    /** Whether the customer was waiting before the session broke. */
    private readonly hasWaited: boolean,
  ) {}

  /** Starts the wait, unless it has started. @param waitedMs time that the customer has waited for already */
  start(waitedMs = 0): void {
    const firstMs = Math.max(MIN_AFTER_MS, FIRST_AFTER_MS - waitedMs);
    this.cancel ??= this.startTimer(this.hasWaited ? FIRST_AFTER_BREAK_MS : firstMs);
  }

  /** Speaks the next phrase at once. */
  sayNext(): void {
    const phrases = this.phrases();
    const phrase = phrases[this.spokenCount++ % phrases.length];
    if (phrase !== undefined) this.say(phrase);
    this.restart();
  }

  /** Other speech reached the waiting customer. */
  restart(): void {
    this.cancel?.();
    this.cancel = this.startTimer(NEXT_AFTER_MS);
  }

  stop(): void {
    this.cancel?.();
    this.cancel = null;
  }

  private startTimer(ms: number): () => void {
    return this.clock.setTimeout(() => this.sayNext(), ms);
  }
}
