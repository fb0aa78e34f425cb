import { unreportedWords } from './unreported-words.js';

/** The words of the current utterance, from Deepgram's results: interim ones are replaced until their part is final. */
export class UtteranceWords {
  private finalParts: string[] = [];
  private interim = '';
  /** The last text of the part that is not final … */
  private part = '';
  /** … and what of it an earlier utterance ended with. */
  private reported = '';

  get isEmpty(): boolean {
    return this.text === '';
  }

  get isFinal(): boolean {
    return this.interim === '';
  }

  get text(): string {
    return [...this.finalParts, this.interim].filter(Boolean).join(' ');
  }

  /** @param text of the current part @param isFinal the next result is of another part */
  add(text: string, isFinal: boolean): void {
    const words = unreportedWords(text, this.reported);
    if (!isFinal) {
      if (text === '') return;
      this.interim = words;
      this.part = text;
      return;
    }
    this.interim = this.part = this.reported = '';
    if (words !== '') this.finalParts.push(words);
  }

  /** Ends the utterance. Words that are not final count: when they become final they are not reported again. */
  take(): string {
    const { text } = this;
    this.reported = this.part;
    this.finalParts = [];
    this.interim = '';
    return text;
  }
}
