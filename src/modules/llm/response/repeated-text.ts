/** Pieces before one that repeats all of them: from so many on it is a repetition and not a sentence said twice. */
const MANY_PIECES = 3;
/** Blanks around a text that its repetition may lack. */
const MAX_BLANKS = 20;
/** Signs of one mark that come apart. */
const FENCE_BEGUN = /^`{1,2}$/;
/** Nothing is written behind these without a blank. */
const ENDS_A_WORD = /[\p{L}\p{N}][.!?…,;:)"]+$/u;
const IS_WITHIN_WORD = /^[\p{L}\p{N}'’-]/u;

/**
 * Leaves out what the pieces of a text repeat: some servers send all of the text in each piece, or once more in the
 * last one. A model may also say the same twice. A piece that begins with all of the text is a repetition only if it
 * could not follow the text, if the piece behind it grows in the same way, or if the response ends with it.
 */
export class RepeatedText {
  private text = '';
  private pieces = 0;
  private longest = 0;
  private held: string | null = null;
  private isCumulative = false;

  /** @returns the new text; a piece that may be a repetition waits for the next one */
  push(piece: string): string {
    if (piece === '') return '';
    const before = this.held === null ? '' : this.release(this.isGrowing(piece, this.held));
    return before + this.read(piece);
  }

  /** @returns the text that waits, at the end of the response */
  end(): string {
    return this.held === null ? '' : this.release(this.isWhole(this.held));
  }

  private read(piece: string): string {
    const rest = this.restOf(piece);
    if (rest === null) return this.append(piece, piece.length);
    if (!this.isCumulative && this.mayFollow(piece)) {
      this.held = piece;
      return '';
    }
    this.isCumulative = true;
    return this.append(rest, piece.length);
  }

  /** What a piece has behind all of the text; null: it does not begin with it. */
  private restOf(piece: string): string | null {
    if (this.text === '' || piece.length + MAX_BLANKS < this.text.length) return null;
    const [whole, begun] = [this.text.trimEnd(), piece.trimStart()];
    if (whole === '' || FENCE_BEGUN.test(whole) || !begun.startsWith(whole)) return null;
    const rest = begun.slice(whole.length);
    const blanks = this.text.slice(whole.length);
    return rest.startsWith(blanks) ? rest.slice(blanks.length) : rest.trimStart();
  }

  private release(isRepeated: boolean): string {
    const held = this.held ?? '';
    this.held = null;
    this.isCumulative ||= isRepeated;
    return this.append(isRepeated ? (this.restOf(held) ?? '') : held, held.length);
  }

  private isGrowing(piece: string, held: string): boolean {
    if (piece.length <= held.length || !piece.startsWith(held)) return false;
    return held.length > this.text.length || !isOneWord(piece);
  }

  /** Whether a model may write the piece behind the text. */
  private mayFollow(piece: string): boolean {
    const isWord = !/\s/.test(this.text) && !ENDS_A_WORD.test(this.text);
    return isWord || this.hasBlankBefore(piece);
  }

  private hasBlankBefore(piece: string): boolean {
    return /\s$/.test(this.text) || /^\s/.test(piece);
  }

  /** Whether the last piece repeats the text. */
  private isWhole(piece: string): boolean {
    if (isOneWord(this.text)) return false;
    if (this.pieces >= MANY_PIECES) return piece.length > this.longest;
    // A word, and then a longer text with it: `We`, `We open`.
    const rest = this.restOf(piece) ?? '';
    if (rest.trim() === '' || this.text.length < 2 || isOneWord(piece)) return false;
    if (/\s$/.test(this.text)) return !/\s/.test(this.text.trim());
    return !/^\s/.test(piece) && !IS_WITHIN_WORD.test(rest);
  }

  private append(text: string, length: number): string {
    this.text += this.text === '' ? text.trimStart() : text;
    this.pieces += 1;
    this.longest = Math.max(this.longest, length);
    return text;
  }
}

/** Whether a text is one word several times: `no no no`. */
function isOneWord(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length > 1 && new Set(words).size === 1;
}
