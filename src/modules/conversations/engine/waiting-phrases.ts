import type { TurnContext } from './turn-context.js';

/** After the end of the customer's speech … */
const FIRST_AFTER_MS = 2_500;
/** … but not before the model has had this long. */
const MIN_AFTER_MS = 700;
const FIRST_AFTER_BREAK_MS = 1_000;
const NEXT_AFTER_MS = 5_000;

type Context = Pick<TurnContext, 'clock' | 'speaker' | 'transcript' | 'language' | 'isCustomerSpeaking'>;

/** Reassures a waiting customer with a filler, and with phrases while a response takes long. */
export class WaitingPhrases {
  private spokenCount = 0;
  private hasFiller = false;
  private cancel: (() => void) | null = null;

  constructor(
    private readonly context: Context,
    /** Whether the response has begun. */
    private readonly isAnswered: () => boolean,
    /** Whether the customer was waiting before the session broke. */
    private readonly hasWaited: boolean,
  ) {}

  /** Starts the wait, unless it has started. @param waitedMs time that the customer has waited for already */
  start(waitedMs = 0): void {
    const firstMs = Math.max(MIN_AFTER_MS, FIRST_AFTER_MS - waitedMs);
    this.cancel ??= this.startTimer(this.hasWaited ? FIRST_AFTER_BREAK_MS : firstMs);
  }

  /** Speaks the next phrase at once. @returns a promise that resolves after `ms` */
  wait(ms: number): Promise<void> {
    this.sayNext();
    return new Promise((resolve) => void this.context.clock.setTimeout(resolve, ms));
  }

  stop(): void {
    this.cancel?.();
    this.cancel = null;
  }

  /** The filler of the turn, unless the customer speaks. */
  sayFiller(): void {
    const { speaker, isCustomerSpeaking } = this.context;
    if (isCustomerSpeaking() || speaker.isSpeechHeld) return;
    const phrase = this.takeFiller();
    if (phrase === null) return;
    speaker.sayFiller(phrase);
    this.restart();
  }

  /** Where there was no filler, as while words of the customer were late, it is the first phrase. */
  private sayNext(): void {
    const { speaker, language, isCustomerSpeaking } = this.context;
    if (!speaker.isTalking && !isCustomerSpeaking()) {
      const { waiting } = language.phrases;
      const filler = this.isAnswered() ? null : this.takeFiller();
      const phrase = filler ?? waiting[this.spokenCount++ % waiting.length];
      if (phrase !== undefined) speaker.sayFiller(phrase);
    }
    this.restart();
  }

  /** At most one in a turn. */
  private takeFiller(): string | null {
    if (this.hasFiller) return null;
    const { language, transcript } = this.context;
    const phrase = language.fillers?.pickPhrase(transcript.memory.lastCustomerText) || null;
    this.hasFiller = phrase !== null;
    return phrase;
  }

  /** Other speech reached the waiting customer. */
  private restart(): void {
    this.cancel?.();
    this.cancel = this.startTimer(NEXT_AFTER_MS);
  }

  private startTimer(ms: number): () => void {
    return this.context.clock.setTimeout(() => this.sayNext(), ms);
  }
}
