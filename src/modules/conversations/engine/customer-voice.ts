import type { Clock } from './clock.js';

/** A session that reports no end of speech: after this time without any input the customer is taken to be silent. */
const LONGEST_MS = 30_000;
/** The words follow the end of speech within this time, unless the session tells another. */
const WORDS_FOLLOW_MS = 1_000;
/** The longest time that the assistant holds back what it has to say while the customer speaks. */
const HOLD_LIMIT_MS = 5_000;

/** Whether the customer is speaking, as the session reports it. */
export class CustomerVoice {
  private speaking = false;
  private lastSoundAt: number | null = null;
  private awaitsWords = false;
  private waiting: (() => void)[] = [];
  private cancel: () => void = () => undefined;

  constructor(
    private readonly clock: Clock,
    /** The customer stopped without a report of it. */
    private readonly onLapsed: () => void,
    private readonly wordsFollowMs = WORDS_FOLLOW_MS,
  ) {}

  get speaks(): boolean {
    return this.speaking;
  }

  /** Whether the customer speaks, or has spoken and the words are not there. */
  get hasWord(): boolean {
    return this.speaking || this.awaitsWords;
  }

  began(): void {
    this.speaking = this.awaitsWords = true;
    this.lastSoundAt = null;
    this.after(LONGEST_MS, () => {
      this.silent();
      this.onLapsed();
    });
  }

  ended(): void {
    this.speaking = false;
    this.lastSoundAt = this.clock.now();
    if (this.awaitsWords) this.after(this.wordsFollowMs, () => this.silent());
  }

  /** When the customer stopped speaking; null where the session does not report it, and the second time. */
  takeLastSound(): number | null {
    const at = this.lastSoundAt;
    this.lastSoundAt = null;
    return at;
  }

  /** The words are here, or there will be none. */
  silent(): void {
    this.cancel();
    this.speaking = this.awaitsWords = false;
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  /** Resolves when the customer has finished and the words are here, after 5 s at the latest. */
  async finished(): Promise<void> {
    if (!this.awaitsWords) return;
    await new Promise<void>((resolve) => {
      const cancel = this.clock.setTimeout(resolve, HOLD_LIMIT_MS);
      this.waiting.push(() => {
        cancel();
        resolve();
      });
    });
  }

  private after(ms: number, task: () => void): void {
    this.cancel();
    this.cancel = this.clock.setTimeout(task, ms);
  }
}
