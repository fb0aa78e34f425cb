import type { SpeechOptions } from '../telephony/call-session.js';

/** Until all of its audio is there, a piece is taken to last this long for each character. */
const MS_PER_CHARACTER = 60;

/** A sentence of the assistant on its way to the customer. */
export class SpokenPiece {
  /** Audio that was not sent yet. */
  private readonly unsent: Int16Array[] = [];
  private receivedMs = 0;
  private isComplete = false;
  sentMs = 0;
  playedMs = 0;
  /** Characters of the text that were reported as played: whole words. */
  private told = 0;
  /** Nothing is synthesised or sent any more. */
  readonly abort = new AbortController();

  constructor(
    readonly text: string,
    /** Number of the speech that it is a part of. */
    readonly speech: number,
    readonly options: SpeechOptions,
    private readonly sampleRate: number,
  ) {}

  /** Its audio is all there, or will not come. */
  get complete(): boolean {
    return this.isComplete;
  }

  get sentWhole(): boolean {
    return this.isComplete && this.unsent.length === 0;
  }

  append(samples: Int16Array): void {
    if (samples.length === 0) return;
    this.unsent.push(samples);
    this.receivedMs += this.msOf(samples);
  }

  finish(): void {
    this.isComplete = true;
  }

  /** The next audio to send, at most `count` samples; empty when there is none at the moment. */
  take(count: number): Int16Array {
    const [first = new Int16Array(0)] = this.unsent;
    const taken = first.subarray(0, count);
    if (taken.length === first.length) this.unsent.shift();
    else this.unsent[0] = first.subarray(count);
    this.sentMs += this.msOf(taken);
    return taken;
  }

  drop(): void {
    this.abort.abort();
    this.unsent.length = 0;
    this.isComplete = true;
  }

  /** Words that were played since the last time; all of a word counts, or nothing. */
  takePlayed(): string {
    const end = this.wholeWords();
    const words = this.text.slice(this.told, end);
    this.told = Math.max(this.told, end);
    return words;
  }

  private wholeWords(): number {
    const { text } = this;
    if (this.isComplete && this.playedMs >= this.receivedMs) return text.length;
    const expectedMs = this.isComplete ? 0 : text.length * MS_PER_CHARACTER;
    const end = Math.floor((text.length * this.playedMs) / Math.max(this.receivedMs, expectedMs));
    if (end >= text.length || /\s/.test(text.charAt(end))) return end;
    return Math.max(0, text.lastIndexOf(' ', end - 1));
  }

  private readonly msOf = (samples: Int16Array): number => (samples.length * 1000) / this.sampleRate;
}
