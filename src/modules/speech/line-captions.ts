import type { AudioLine } from '#src/modules/media/audio-line.js';

/** What a line shows of the words that the customer is saying. */
export class LineCaptions {
  private shown = '';

  constructor(private readonly line: AudioLine) {}

  /** Of words that are not yet final those are shown that follow the ones before; others may have changed. */
  customer(text: string, final: boolean): void {
    const { shown } = this;
    if (final) this.shown = '';
    if (final && text !== '') return this.line.caption?.('customer', text, true);
    if (final || text === shown || !text.startsWith(shown)) return;
    this.shown = text;
    this.line.caption?.('customer', text.slice(shown.length), false);
  }
}
