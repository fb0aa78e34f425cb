import { EntityDecoder } from './entities.js';

/** DeepSeek's tags have a namespace. */
const FOREIGN_MARK = /<(\/?)[｜|]DSML[｜|]/g;

/** The streamed text that is not read yet. */
export class PendingText {
  text = '';
  /** What was read, except reasoning. */
  outside = '';
  private readonly entities = new EntityDecoder();

  /** @param atEnd no other piece follows */
  push(piece: string, atEnd: boolean): void {
    this.text = (this.text + this.entities.push(piece, atEnd)).replace(FOREIGN_MARK, '<$1');
  }

  take(length: number): string {
    const taken = this.text.slice(0, length);
    this.text = this.text.slice(length);
    this.outside += taken;
    return taken;
  }

  /** Writes another text for the first characters, which is read next. */
  rewrite(length: number, plain: string): void {
    this.text = plain + this.text.slice(length);
  }

  /** Decodes the text and all that follows. */
  decode(levels: number, atEnd: boolean): void {
    this.text = this.entities.begin(this.text, levels, atEnd).replace(FOREIGN_MARK, '<$1');
  }
}
