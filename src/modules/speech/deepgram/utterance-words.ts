const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/** The words of the current utterance, from Deepgram's results: interim ones are replaced until their part is final. */
export class UtteranceWords {
  private finalParts: string[] = [];
  private interim = '';
  /** Words of the part that is not final which an earlier utterance ended with. */
  private taken = 0;

  get isEmpty(): boolean {
    return this.text === '';
  }

  get text(): string {
    return [...this.finalParts, this.interim].filter(Boolean).join(' ');
  }

  /** @param text of the current part @param isFinal the next result is of another part */
  add(text: string, isFinal: boolean): void {
    const words = wordsOf(text).slice(this.taken).join(' ');
    if (!isFinal) {
      if (text !== '') this.interim = words;
      return;
    }
    this.interim = '';
    this.taken = 0;
    if (words !== '') this.finalParts.push(words);
  }

  /** Ends the utterance. Words that are not final count: when they become final they are not reported again. */
  take(): string {
    const { text } = this;
    this.taken += wordsOf(this.interim).length;
    this.finalParts = [];
    this.interim = '';
    return text;
  }
}
