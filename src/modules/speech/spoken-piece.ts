import type { SpeechOptions } from '../telephony/call-session.js';

/** Until all of its audio is there, a piece is taken to last this long for each character. */
const MS_PER_CHARACTER = 60;

/** A sentence of the assistant on its way to the customer. */
export class SpokenPiece {
  /** Audio that was not sent yet. */
  private readonly unsent: Int16Array[] = [];
  /** Samples: sums of milliseconds differ by the sizes of the parts. */
  private received = 0;
  private sent = 0;
  private isComplete = false;
  playedMs = 0;
  /** Characters of the text that were reported as played: whole words. */
  private told = 0;
  /** Nothing is synthesised or sent any more. */
  readonly abort = new AbortController();

  constructor(
    private words: string,
    /** Number of the speech that it is a part of. */
    readonly speech: number,
    readonly options: SpeechOptions,
    private readonly sampleRate: number,
  ) {}

  get text(): string {
    return this.words;
  }

  get sentMs(): number {
    return this.msOf(this.sent);
  }

  private get receivedMs(): number {
    return this.msOf(this.received);
  }

  /** Audio that was received and is not known to have been played. */
  get unplayedMs(): number {
    return this.receivedMs - this.playedMs;
  }

  /** Of all of its audio, for each character of the text. */
  get msPerCharacter(): number {
    return this.receivedMs / this.words.length;
  }

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
    this.received += samples.length;
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
    this.sent += taken.length;
    return taken;
  }

  /**
   * No more of its audio comes: keeps the words that it has audio of.
   *
   * @returns the others, with the word that was cut; null: there are none
   */
  split(msPerCharacter: number): SpokenPiece | null {
    const end = this.wordStart(Math.floor(this.receivedMs / msPerCharacter));
    const rest = new SpokenPiece(this.words.slice(end), this.speech, this.options, this.sampleRate);
    // Words are reported once, also where they are heard twice.
    rest.told = Math.max(0, this.told - end);
    this.words = this.words.slice(0, end);
    return rest.words.trim() === '' ? null : rest;
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
    return this.wordStart(end);
  }

  /** The beginning of the word, or of the blank, at this place; at the latest the end of the text. */
  private wordStart(at: number): number {
    const { text } = this;
    if (at >= text.length || /\s/.test(text.charAt(at))) return Math.min(at, text.length);
    return at <= 0 ? 0 : Math.max(0, text.lastIndexOf(' ', at - 1));
  }

  private msOf(samples: number): number {
    return (samples * 1000) / this.sampleRate;
  }
}
