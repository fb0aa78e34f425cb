import { wordStart } from '../../speech/word-positions.js';

/**
 * A speech of the realtime model with its streamed audio. Pieces of text and audio are independent: a position in the
 * text corresponds to the same share of the audio.
 */
export class SpokenAudio {
  private audio: Buffer[] = [];
  private received = 0;
  private transcript = '';
  /** No more audio and text will arrive. */
  complete = false;
  /** It ended early: the end of its text may have no audio. */
  private isBroken = false;
  /** The engine plays it, or has stopped it. */
  wasStarted = false;
  /** It may be resumed. */
  isHeld = false;
  /** The provider's items of it, with the time at which each begins. */
  items: { itemId: string; startMs: number }[] = [];
  /** A space separates the next text from that of the item before. */
  private isItemNew = false;
  /** Bytes sent to the line, and played. */
  sent = 0;
  played = 0;
  /** Characters of `text` reported as played: whole words. */
  reportedCharacters = 0;

  constructor(
    /** The response's name. */
    readonly name: string,
    /** The given sentence; null: a response of the model. */
    private readonly sentence: string | null,
    /** Whether the customer, or newer speech, may stop it. */
    readonly isInterruptible: boolean,
    /** Number of the last turn of the customer when it was requested. */
    readonly answersTurn = 0,
    /** A sentence that is left out where other speech would wait for it. */
    readonly isOptional = false,
  ) {
    this.knownText = sentence ?? '';
  }

  /** The text that the engine has: of a given sentence until the model says it differently. */
  knownText: string;

  /** What is said: models vary given sentences. */
  get text(): string {
    const { sentence, transcript } = this;
    return sentence === null || !isVaried(sentence, transcript, this.complete)
      ? (sentence ?? transcript)
      : transcript;
  }

  /** The last item; null before the first. */
  get itemId(): string | null {
    return this.items.at(-1)?.itemId ?? null;
  }

  /** Bytes of received audio. */
  get bytes(): number {
    return this.received;
  }

  get isPlayed(): boolean {
    return this.complete && this.played >= this.received;
  }

  /** Whether all of it was received. */
  get isWhole(): boolean {
    return this.complete && !this.isBroken;
  }

  /** The text not reported as played. */
  get unreportedText(): string {
    return this.text.slice(this.reportedCharacters).trimStart();
  }

  addAudio(audio: Buffer): void {
    this.audio.push(audio);
    this.received += audio.length;
  }

  /** Audio or text of an item follows. @param startMs the audio before it */
  beginItem(itemId: string, startMs: number): void {
    if (this.items.some((one) => one.itemId === itemId)) return;
    this.items.push({ itemId, startMs });
    this.isItemNew = true;
  }

  /** @returns the text with the space before it */
  addText(text: string): string {
    const isJoined = this.isItemNew && /\S$/.test(this.transcript) && /^\S/.test(text);
    this.isItemNew = false;
    const added = isJoined ? ` ${text}` : text;
    this.transcript += added;
    return added;
  }

  /** It ended before its end. */
  breakOff(): void {
    this.complete = this.isBroken = true;
  }

  /**
   * Removes text without audio, so that another response can continue it.
   *
   * @param mostCharacters as of `takePlayed`
   * @returns the rest of a given sentence; all of it after other words; null: a response of the model
   */
  cutToAudio(mostCharacters: number): string | null {
    const { text, sentence } = this;
    const end = this.wholeWordsAt(this.received, mostCharacters);
    this.transcript = end === 0 ? '' : `${text.slice(0, end).trimEnd()} `;
    return sentence && (text === sentence ? sentence.slice(end).trimStart() : sentence);
  }

  /** Ends it where its audio ends. @param mostCharacters as of `takePlayed` @returns the words with audio */
  endAtAudio(mostCharacters: number): string {
    this.cutToAudio(mostCharacters);
    this.complete = true;
    return this.transcript;
  }

  /** The received audio that was not sent. */
  takeUnsent(): Buffer {
    const unsent: Buffer[] = [];
    // From the end: a long speech has thousands of pieces, of which mostly only the last one is unsent.
    for (let end = this.received, at = this.audio.length - 1; end > this.sent && at >= 0; at--) {
      const piece = this.audio[at] ?? Buffer.alloc(0);
      end -= piece.length;
      unsent.unshift(piece.subarray(Math.max(0, this.sent - end)));
    }
    this.sent = this.received;
    return unsent.length === 1 && unsent[0] ? unsent[0] : Buffer.concat(unsent);
  }

  /**
   * The words played since the last call; a word counts when all of it was played.
   *
   * @param mostCharacters upper bound of the characters in the received audio: the text arrives before it
   */
  takePlayed(mostCharacters: number): string {
    const end = this.wholeWordsAt(this.played, mostCharacters);
    const piece = this.text.slice(this.reportedCharacters, end);
    this.reportedCharacters = Math.max(this.reportedCharacters, end);
    return piece;
  }

  /**
   * Continues with the first unplayed word.
   *
   * @param sampleBytes bytes of one sample, a unit that is not split
   * @param mostCharacters as of `takePlayed`
   */
  rewind(sampleBytes: number, mostCharacters: number): void {
    const start =
      this.reportedCharacters + (/^\s*/.exec(this.text.slice(this.reportedCharacters))?.[0].length ?? 0);
    const known = Math.max(1, this.knownLength(mostCharacters));
    const samples = Math.floor((Math.min(1, start / known) * this.received) / sampleBytes);
    this.sent = this.played = Math.min(this.received, samples * sampleBytes);
  }

  /** Frees the audio: the speech is not played again. */
  releaseAudio(): void {
    this.audio = [];
    this.sent = this.received;
  }

  /** Upper bound of the text in the received audio. */
  private knownLength(mostCharacters: number): number {
    if (this.isWhole) return this.text.length;
    return Math.min(this.text.length, this.transcript.length, mostCharacters);
  }

  private wholeWordsAt(bytes: number, mostCharacters: number): number {
    const { text } = this;
    // Also of complete speech: words without audio were not heard.
    if (this.received === 0) return 0;
    if (this.isWhole && bytes >= this.received) return text.length;
    const at = Math.floor((this.knownLength(mostCharacters) * bytes) / this.received);
    // The last word may go on.
    return wordStart(text, Math.min(text.length - 1, at));
  }
}

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** Whether a transcript, complete or up to now, has other words than the sentence. An empty one is not reported. */
function isVaried(sentence: string, transcript: string, complete: boolean): boolean {
  const [given, said] = [letters(sentence), letters(transcript)];
  return said !== '' && (complete ? given !== said : !given.startsWith(said));
}
