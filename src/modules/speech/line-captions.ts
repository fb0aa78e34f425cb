import type { AudioLine } from '#src/modules/media/audio-line.js';

/** Live captions of the customer's words on an audio line. */
export class LineCaptions {
  private shown = '';

  constructor(private readonly line: AudioLine) {}

  /** Interim words are shown only where they continue the words shown before: recognisers revise them. */
  showCustomerWords(text: string, final: boolean): void {
    const { shown } = this;
    if (final) this.shown = '';
    if (final && text !== '') return this.line.caption?.('customer', text, true);
    if (final || text === shown || !text.startsWith(shown)) return;
    this.shown = text;
    this.line.caption?.('customer', text.slice(shown.length), false);
  }
}
