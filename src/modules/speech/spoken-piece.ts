import type { SpeechOptions } from '../telephony/call-session.js';
import { speechMs } from './speech-length.js';
import { wordStart } from './word-positions.js';

/**
 * How long the rest of a sentence may follow its first clause. A context of Cartesia ends 1 s after its last audio, and
 * the clause is spoken for longer than this.
 */
const REST_WITHIN_MS = 800;

/** No voice speaks faster: audio shorter than this per letter is no speech. */
const MIN_MS_PER_LETTER = 20;

/** A sentence of the assistant on its way to the customer. */
export class SpokenPiece {
  /** Audio that was not sent yet. */
  private readonly unsent: Int16Array[] = [];
  /** In samples: sums of milliseconds would depend on the sizes of the parts. */
  private received = 0;
  private sent = 0;
  private isComplete = false;
  playedMs = 0;
  /** Characters of the text reported as played: whole words. */
  private reportedCharacters = 0;
  /** Aborts the synthesis. */
  readonly abort = new AbortController();
  private giveRest: ((words: string) => void) | null = null;
  private restTimer: NodeJS.Timeout | undefined;
  private expectedRest: Promise<string> | undefined;

  constructor(
    private words: string,
    /** Number of its speech. */
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

  /** Received audio without confirmed playback. */
  get unplayedMs(): number {
    return this.receivedMs - this.playedMs;
  }

  /** Duration of the received audio per character of the text. */
  get msPerCharacter(): number {
    return this.receivedMs / this.words.length;
  }

  /** Whether the received audio is long enough to be its text. */
  get isPlausible(): boolean {
    return this.receivedMs >= (this.words.match(/[\p{L}\p{N}]/gu)?.length ?? 0) * MIN_MS_PER_LETTER;
  }

  /** All of its audio is received, or no more will arrive. */
  get complete(): boolean {
    return this.isComplete;
  }

  get isCompletelySent(): boolean {
    return this.isComplete && this.unsent.length === 0;
  }

  /** What may follow the text; undefined: the text is complete. */
  get rest(): Promise<string> | undefined {
    return this.giveRest ? this.expectedRest : undefined;
  }

  /** The text is the first clause of a sentence, whose rest may follow soon. */
  awaitRest(): void {
    this.expectedRest = new Promise((resolve) => (this.giveRest = resolve));
    this.restTimer = setTimeout(() => this.endText(), REST_WITHIN_MS);
  }

  /** Takes the text of the next piece as its own rest. @returns false: it is a piece of its own */
  continueWith({ text, speech, options }: SpokenPiece): boolean {
    const { interruptible, preemptible } = options;
    const isSame =
      speech === this.speech &&
      interruptible === this.options.interruptible &&
      preemptible === this.options.preemptible;
    if (!this.giveRest || !isSame) return false;
    this.words += text;
    this.endText(text.trim());
    return true;
  }

  /** No rest follows after this. */
  endText(rest = ''): void {
    clearTimeout(this.restTimer);
    this.giveRest?.(rest);
    this.giveRest = null;
  }

  append(samples: Int16Array): void {
    if (samples.length === 0) return;
    this.unsent.push(samples);
    this.received += samples.length;
  }

  finish(): void {
    this.endText();
    this.isComplete = true;
  }

  /** The next audio to send, at most `count` samples; empty when there is none at the moment. */
  takeAudio(count: number): Int16Array {
    const [first = new Int16Array(0)] = this.unsent;
    const taken = first.subarray(0, count);
    if (taken.length === first.length) this.unsent.shift();
    else this.unsent[0] = first.subarray(count);
    this.sent += taken.length;
    return taken;
  }

  /**
   * Called when no more of its audio arrives: keeps the words with received audio.
   *
   * @returns the remaining words, with the interrupted one; null: none
   */
  split(msPerCharacter: number): SpokenPiece | null {
    this.endText();
    const end = wordStart(this.words, Math.floor(this.receivedMs / msPerCharacter));
    const rest = new SpokenPiece(this.words.slice(end), this.speech, this.options, this.sampleRate);
    // Words are reported once, also where they are heard twice.
    rest.reportedCharacters = Math.max(0, this.reportedCharacters - end);
    this.words = this.words.slice(0, end);
    return rest.words.trim() === '' ? null : rest;
  }

  discard(): void {
    this.abort.abort();
    this.endText();
    this.unsent.length = 0;
    this.isComplete = true;
  }

  /** The words played since the last call; a word counts when all of it was played. */
  takePlayed(): string {
    const end = this.playedWordsEnd();
    const words = this.text.slice(this.reportedCharacters, end);
    this.reportedCharacters = Math.max(this.reportedCharacters, end);
    return words;
  }

  private playedWordsEnd(): number {
    const { text } = this;
    if (this.isComplete && this.playedMs >= this.receivedMs) return text.length;
    // Until all of its audio is received, its length is estimated.
    const expectedMs = this.isComplete ? 0 : speechMs(text);
    const end = Math.floor((text.length * this.playedMs) / Math.max(this.receivedMs, expectedMs));
    return wordStart(text, end);
  }

  private msOf(samples: number): number {
    return (samples * 1000) / this.sampleRate;
  }
}

/** Whether the customer may stop the piece, at once or with enough words. */
export const isInterruptible = ({ options }: SpokenPiece): boolean =>
  options.interruptible || options.preemptible;
