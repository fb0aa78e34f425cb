import type { Clock } from '#src/modules/conversations/engine/clock.js';

/** What stops a speech: `any`, `speech`, `dtmf` or `none`, as the carrier's attributes say it. */
export interface Talk {
  words: string[];
  complete: boolean;
  interruptible: string;
  preemptible: boolean;
  language: string;
}

/** A piece of speech that the customer heard. */
export interface Said {
  text: string;
  /** Whether it was longer than what was heard. */
  cut: boolean;
  language: string;
  /** Milliseconds of the clock, as `ends`. */
  begins: number;
  ends: number;
}

export interface QueueEvents {
  began(): void;
  wordPlayed(word: string): void;
  /** Everything that was sent was played. */
  silent(): void;
}

export const wordsOf = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? [];

/** Plays texts one after the other, at a constant speed, as the carrier's voice does. */
export class SpeechQueue {
  readonly said: Said[] = [];
  private readonly talks: Talk[] = [];
  private played = 0;
  private beganAt: number | null = null;
  private waiting = false;
  private cancel: () => void = () => undefined;

  constructor(
    private readonly clock: Clock,
    private readonly msPerCharacter: number,
    private readonly delayMs: number,
    private readonly events: QueueEvents,
  ) {}

  get current(): Talk | undefined {
    return this.talks[0];
  }

  /** The last speech, if it is not complete. */
  get open(): Talk | undefined {
    const last = this.talks.at(-1);
    return last?.complete === false ? last : undefined;
  }

  begin(talk: Talk): void {
    if (this.talks[0]?.preemptible) this.stop();
    this.talks.push(talk);
    this.go();
  }

  go(): void {
    if (!this.waiting) this.next();
  }

  /** Silence at once. @returns what was heard of the current speech */
  stop(): string {
    this.cancel();
    const heard = this.close(true);
    this.talks.splice(0);
    this.waiting = false;
    return heard;
  }

  private next(): void {
    const [talk] = this.talks;
    if (!talk) return;
    const word = talk.words[this.played];
    if (word === undefined) {
      if (talk.complete) this.finish();
      return;
    }
    const first = this.beganAt === null;
    this.after(first ? this.delayMs : 0, () => {
      if (first) {
        this.beganAt = this.clock.now();
        this.events.began();
      }
      this.after(word.length * this.msPerCharacter, () => {
        this.played += 1;
        this.events.wordPlayed(word);
        this.next();
      });
    });
  }

  private after(ms: number, task: () => void): void {
    if (ms === 0) return task();
    this.waiting = true;
    this.cancel = this.clock.setTimeout(() => {
      this.waiting = false;
      task();
    }, ms);
  }

  private finish(): void {
    this.close(false);
    this.talks.shift();
    if (this.talks.length === 0) this.events.silent();
    else this.next();
  }

  private close(cut: boolean): string {
    const { language = '', words: all = [] } = this.talks[0] ?? {};
    const words = all.slice(0, this.played);
    const text = words.join('').trim();
    if (text && this.beganAt !== null)
      this.said.push({ text, cut, language, begins: this.beganAt, ends: this.clock.now() });
    this.played = 0;
    this.beganAt = null;
    return text;
  }
}
