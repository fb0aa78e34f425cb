import { END_OF_RESPONSE } from './react-steps.js';
import type { TemplateTag } from './template-tags.js';

/** Characters of reasoning that are kept: a tag that ends it is not longer. */
const MAX_TAG = 300;

export type ReasoningTag = Extract<TemplateTag, { kind: 'reasoning' }>;

/**
 * Reasoning without its end yet. It may contain reasoning, or only quote its tags: the text behind an inner end belongs to
 * the reasoning if another end follows, else to the response.
 */
export class OpenReasoning {
  private depth = 0;
  private hasInnerEnd = false;

  constructor(
    private readonly tag: ReasoningTag,
    /** Maximum characters that are buffered behind an inner end. */
    private readonly maxHeld: number,
  ) {}

  /** @returns the rest of the text: behind the reasoning, or to be read again with the next piece */
  read(text: string, atEnd: boolean): { rest: string; isOver: boolean } {
    const { closes, opens } = this.tag;
    for (let rest = text; ;) {
      const end = closes.exec(atEnd ? rest + END_OF_RESPONSE : rest);
      const inner = opens?.exec(rest);
      const next = inner && (!end || inner.index < end.index) ? inner : end;
      if (!next) return this.stop(rest, atEnd);
      rest = rest.slice(next.index + next[0].length);
      this.depth += next === inner ? 1 : -1;
      if (next === inner) continue;
      this.hasInnerEnd = this.depth >= 0;
      if (!this.hasInnerEnd) return { rest, isOver: true };
    }
  }

  private stop(rest: string, atEnd: boolean): { rest: string; isOver: boolean } {
    if (this.hasInnerEnd) return { rest, isOver: atEnd || rest.length > this.maxHeld };
    return { rest: atEnd ? '' : rest.slice(-MAX_TAG), isOver: false };
  }
}
