import { findClosingBracket, JSON_BEGINS } from './json-text.js';
import { decodeClosingTags } from './odd-tags.js';
import { END_OF_RESPONSE } from './react-steps.js';
import { REASONING_END, type TemplateTag } from './template-tags.js';

/** Characters of reasoning that are kept: a tag that ends it is not longer. */
const MAX_TAG = 300;

export type ReasoningTag = Extract<TemplateTag, { kind: 'reasoning' }>;

/**
 * Reasoning without its end yet. It may contain reasoning, or only quote its tags: the text after an inner end belongs to
 * the reasoning if another end follows, else to the response.
 */
export class OpenReasoning {
  private depth = 0;
  private hasInnerEnd = false;

  constructor(
    private readonly tag: ReasoningTag,
    /** Maximum characters that are buffered after an inner end. */
    private readonly maxHeld: number,
  ) {}

  /** @returns the rest of the text: after the reasoning, or to be read again with the next piece */
  read(text: string, atEnd: boolean): { rest: string; isOver: boolean } {
    const { closes, opens, outer } = this.tag;
    const isEnd = (tag: string): boolean => closes.test(tag) || REASONING_END.test(tag);
    for (let rest = decodeClosingTags(text, isEnd); ;) {
      const end = closes.exec(atEnd ? rest + END_OF_RESPONSE : rest);
      const inner = opens?.exec(rest);
      const next = inner && (!end || inner.index < end.index) ? inner : end;
      if (!next) return this.stop(rest, atEnd);
      rest = rest.slice(next.index + next[0].length);
      this.depth += next === inner ? 1 : -1;
      if (next === inner) continue;
      this.hasInnerEnd = this.depth >= 0;
      if (!this.hasInnerEnd) return { rest: outer?.test(next[0]) ? next[0] + rest : rest, isOver: true };
    }
  }

  private stop(rest: string, atEnd: boolean): { rest: string; isOver: boolean } {
    if (this.hasInnerEnd) return { rest, isOver: atEnd || rest.length > this.maxHeld };
    return { rest: atEnd ? '' : rest.slice(-MAX_TAG), isOver: false };
  }
}

/**
 * After the tag of a call: reasoning that names the tag, or drafts a call, and ends. An end within the arguments
 * belongs to them.
 *
 * @param callEnd where the call ends; null: its end is missing until now
 * @returns the text that follows the reasoning; null: it is a call
 */
export function textAfterReasoning(text: string, callEnd: number | null, atEnd: boolean): string | null {
  const isEnd = (tag: string): boolean => REASONING_END.test(tag);
  if (!isEnd(decodeClosingTags(text, isEnd))) return null;
  const until = callEnd ?? text.length;
  const begins = text.search(JSON_BEGINS);
  const isBefore = begins < 0 || REASONING_END.test(decodeClosingTags(text.slice(0, begins), isEnd));
  const argumentsEnd = isBefore ? 0 : findClosingBracket(text, begins);
  const isIncomplete = argumentsEnd < 0 || argumentsEnd > until;
  if (isIncomplete && !(atEnd && callEnd === null)) return null;
  const from = isIncomplete ? 0 : argumentsEnd;
  const after = decodeClosingTags(text.slice(from, until), isEnd);
  const end = REASONING_END.exec(after);
  return end && after.slice(end.index + end[0].length) + text.slice(until);
}
