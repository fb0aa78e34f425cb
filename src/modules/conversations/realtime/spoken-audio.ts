/**
 * Something that the realtime model says, with its audio as it arrives. Words and audio come in pieces that do not go
 * together, so a place in the text belongs to the same share of the audio.
 */
export class SpokenAudio {
  private audio: Buffer[] = [];
  private received = 0;
  private transcript = '';
  /** No more audio and text will come. */
  complete = false;
  /** The provider's item; null while nothing of it has arrived. */
  itemId: string | null = null;
  /** Bytes that the line was given, and that were played. */
  sent = 0;
  played = 0;
  /** Characters of `text` that were reported as played: whole words. */
  told = 0;

  constructor(
    /** The response's name. */
    readonly name: string,
    /** The sentence that is to be said; null: what the model answers. */
    private readonly sentence: string | null,
    /** Whether the customer, or newer speech, stops it. */
    readonly mayBeStopped: boolean,
  ) {}

  get text(): string {
    return this.sentence ?? this.transcript;
  }

  /** Bytes of audio that have arrived. */
  get bytes(): number {
    return this.received;
  }

  get isPlayedWhole(): boolean {
    return this.complete && this.played >= this.received;
  }

  /** What was not reported as played. */
  get rest(): string {
    return this.text.slice(this.told).trimStart();
  }

  addAudio(audio: Buffer): void {
    this.audio.push(audio);
    this.received += audio.length;
  }

  addText(text: string): void {
    this.transcript += text;
  }

  /** The audio that has arrived and was not sent. */
  takeUnsent(): Buffer {
    const unsent: Buffer[] = [];
    // From the end: a long speech comes in thousands of pieces, and mostly only the last one was not sent.
    for (let end = this.received, at = this.audio.length - 1; end > this.sent && at >= 0; at--) {
      const piece = this.audio[at] ?? Buffer.alloc(0);
      end -= piece.length;
      unsent.unshift(piece.subarray(Math.max(0, this.sent - end)));
    }
    this.sent = this.received;
    return unsent.length === 1 && unsent[0] ? unsent[0] : Buffer.concat(unsent);
  }

  /**
   * Words that were played since the last time; all of a word counts, or nothing.
   *
   * @param mostCharacters that the audio may hold which has arrived: the text comes before it
   */
  takePlayed(mostCharacters: number): string {
    const end = this.wholeWordsAt(this.played, mostCharacters);
    const piece = this.text.slice(this.told, end);
    this.told = Math.max(this.told, end);
    return piece;
  }

  /**
   * It goes on at the first word that was not played.
   *
   * @param sampleBytes of one sample: audio is cut between two
   * @param mostCharacters as of `takePlayed`
   */
  rewind(sampleBytes: number, mostCharacters: number): void {
    const start = this.told + (/^\s*/.exec(this.text.slice(this.told))?.[0].length ?? 0);
    const known = Math.max(1, this.knownLength(mostCharacters));
    const samples = Math.floor((Math.min(1, start / known) * this.received) / sampleBytes);
    this.sent = this.played = Math.min(this.received, samples * sampleBytes);
  }

  /** It is not played again: its audio need not be kept. */
  release(): void {
    this.audio = [];
    this.sent = this.received;
  }

  /** How much of the text the audio that has arrived is known to hold. */
  private knownLength(mostCharacters: number): number {
    if (this.complete) return this.text.length;
    return Math.min(this.text.length, this.transcript.length, mostCharacters);
  }

  private wholeWordsAt(bytes: number, mostCharacters: number): number {
    const { text } = this;
    // Also of what is complete: nobody heard words that have no audio.
    if (this.received === 0) return 0;
    if (this.isPlayedWhole) return text.length;
    const at = Math.min(text.length, Math.floor((this.knownLength(mostCharacters) * bytes) / this.received));
    if (/\s/.test(text.charAt(at))) return at;
    return Math.max(0, text.lastIndexOf(' ', Math.max(0, at - 1)));
  }
}
