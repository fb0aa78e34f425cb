import { CallStartFinder, type CallStart } from './call-start-finder.js';
import {
  codeBlockAt,
  hasReasoning,
  jsonAt,
  readCodeBlock,
  readUnended,
  type BlockContent,
} from './code-block.js';
import { entityAt } from './entities.js';
import { bareCallAt, labelledCallAt, type WrittenCall } from './written-calls.js';
import { hasCallFragment, JSON_START } from './broken-calls.js';
import { asText, type TextMatch, type ReadStep } from './text-match.js';
import { PendingText } from './pending-text.js';
import { decodeClosingTags, oddTagAt } from './odd-tags.js';
import { textAfterReasoning, OpenReasoning, type ReasoningTag } from './open-reasoning.js';
import { END_OF_RESPONSE, isAtLineStart, INPUT_END, STEP_PATTERN, parseStepLabel } from './react-steps.js';
import { responseStart } from './response-start.js';
import { beginsMarkup, COMMENT, parseHeader, REST, tagAt, TURN_END, type CallTag } from './template-tags.js';
import { endOfCall, parseTextCalls } from './text-calls.js';
import type { ParsedToolCall } from './tool-call-assembler.js';
import type { OfferedTools } from './tool-names.js';

/** Maximum characters of a call in the text and of a code block; of a header. */
const MAX_HELD = 32 * 1024;
const MAX_HEAD = 300;
const SPECIAL = new RegExp(`[&<[\`{◁✿【「(\\\\＜‹〈]|%(?=3|$)|${STEP_PATTERN}`);

type Inside = OpenReasoning | CallTag;

/**
 * Removes reasoning, tags of templates and tool calls from the streamed text of a response, at any boundaries of its
 * pieces. Calls are parsed only where tools are offered: elsewhere JSON is text.
 */
export class ResponseText {
  readonly calls: ParsedToolCall[] = [];
  /** Whether reasoning had an opening and a closing tag: then the text outside of it is no reasoning. */
  hasMarkedReasoning = false;
  private readonly pending = new PendingText();
  private inside: Inside | null = null;
  private isUnreadable = false;
  private isCut = false;
  private isRetracted = false;
  private readonly begins: CallStartFinder;
  private hasStarted = false;
  private hasText = false;
  /** A code block with reasoning has begun: its backquotes are left out. */
  private isFenceOpen = false;

  constructor(
    private readonly tools: OfferedTools,
    /** Whether the response is spoken: JSON is left out then. */
    private readonly isSpoken: boolean,
  ) {
    this.begins = new CallStartFinder(tools);
  }

  /** Whether the text contains a call, or JSON, that cannot be run and must not be spoken. */
  get hasUnreadableCall(): boolean {
    return this.isUnreadable || (this.tools.size > 0 && hasCallFragment(this.pending.outside));
  }

  /** Whether all text until now was reasoning; resets itself, so that each retraction is returned once. */
  consumeRetraction(): boolean {
    const was = this.isRetracted;
    this.isRetracted = false;
    return was;
  }

  /** @returns the text that may be spoken; after a retraction only the text that follows it */
  push(piece: string): string {
    this.pending.push(piece, false);
    return this.read(false);
  }

  /** @param isCut the response has reached its maximum length @returns the buffered text that is no tag */
  end(isCut: boolean): string {
    this.isCut = isCut;
    this.pending.push('', true);
    return this.read(true);
  }

  private read(atEnd: boolean): string {
    let text = '';
    for (;;) {
      const step = this.inside ? this.readInside(this.inside, atEnd) : this.readText(atEnd);
      if (step?.retracts) {
        this.isRetracted = true;
        this.hasText = false;
        text = this.pending.outside = '';
      }
      if (step?.retracts === 'all') {
        this.calls.length = 0;
        this.isUnreadable = false;
      }
      text += step?.text ?? '';
      this.hasText ||= text.trim() !== '';
      if (!step || (step.needsMore ?? false)) return text;
    }
  }

  private readInside(inside: Inside, atEnd: boolean): ReadStep | null {
    if (inside instanceof OpenReasoning) return this.readReasoning(inside, atEnd);
    if (inside.kind === 'head') return this.readHead(inside.until, atEnd);
    const { closes, name, tag } = inside;
    this.pending.text = decodeClosingTags(this.pending.text, (end) => closes?.test(end) ?? false);
    const end = endOfCall(this.pending.text, closes ?? TURN_END, this.tools, atEnd);
    const rest = textAfterReasoning(this.pending.text, end?.index ?? null, atEnd);
    if (rest !== null) {
      this.inside = null;
      this.pending.text = rest;
      return { retracts: 'all' };
    }
    if (!end && (!atEnd || (this.isCut && closes))) {
      const isLost = atEnd || this.pending.text.length > MAX_HELD;
      this.isUnreadable ||= isLost;
      if (isLost) this.pending.text = '';
      return null;
    }
    const body = this.pending.take(end?.index ?? this.pending.text.length);
    const closing = this.pending.take(end?.length ?? 0);
    this.inside = null;
    const calls = parseTextCalls(tag === undefined ? body : tag + body + closing, this.tools, name);
    if (calls) this.calls.push(...calls);
    else this.isUnreadable = true;
    return {};
  }

  private readReasoning(reasoning: OpenReasoning, atEnd: boolean): ReadStep | null {
    const { rest, isOver } = reasoning.read(this.pending.text, atEnd);
    this.pending.text = rest;
    this.hasMarkedReasoning ||= isOver;
    if (isOver || atEnd) this.inside = null;
    return isOver ? {} : null;
  }

  private readHead(until: string, atEnd: boolean): ReadStep | null {
    const at = this.pending.text.indexOf(until);
    if (at < 0 && this.pending.text.length <= MAX_HEAD && !atEnd) return null;
    const head = this.pending.take(at < 0 ? this.pending.text.length : at);
    this.pending.take(until.length);
    const content = parseHeader(head);
    // The arguments are behind the end of the header.
    const isLost = at < 0 && content.kind === 'call';
    this.isUnreadable ||= isLost;
    this.inside = null;
    if ((content.kind === 'reasoning' || content.kind === 'call') && !isLost) this.enter(content);
    // The text before the final channel is not part of the response.
    return content.kind === 'reasoning-end' ? { retracts: 'text' } : {};
  }

  private readText(atEnd: boolean): ReadStep | null {
    if (!this.hasStarted && !this.start(atEnd)) return null;
    if (this.inside) return {};
    const whole = atEnd ? this.pending.text + END_OF_RESPONSE : this.pending.text;
    const call = this.begins.findStart(whole);
    const sign = whole.search(SPECIAL);
    const ready =
      this.pending.text.length -
      (atEnd ? 0 : this.begins.incompleteLength(this.pending.text, this.pending.outside));
    const at = Math.min(call?.at ?? Infinity, sign < 0 ? Infinity : sign);
    if (at >= ready && call?.at !== at)
      return ready === 0 ? null : { text: this.pending.take(ready), needsMore: true };
    const text = this.pending.take(at);
    this.hasText ||= text.trim() !== '';
    const found = call?.at === at ? this.callAt(call, atEnd) : this.special(atEnd);
    if (found === 'wait' && !atEnd) return text === '' ? null : { text, needsMore: true };
    const { length, text: said = '', retracts } = found === 'wait' ? this.unended() : found;
    this.pending.take(length);
    return retracts ? { retracts } : { text: text + said };
  }

  /** @returns false: more characters are needed */
  private start(atEnd: boolean): boolean {
    const start = responseStart(this.pending.text, atEnd);
    if (!start) return false;
    this.hasStarted = true;
    this.pending.rewrite(start.length, '');
    if (start.tag) this.enter(start.tag);
    return true;
  }

  private enter(tag: ReasoningTag | CallTag): void {
    this.inside = tag.kind === 'reasoning' ? new OpenReasoning(tag, MAX_HELD) : tag;
  }

  private special(atEnd: boolean): TextMatch {
    const text = this.pending.text;
    const sign = text.charAt(0);
    const odd = oddTagAt(text);
    if (odd === 'wait' && !atEnd) return odd;
    if (odd && odd !== 'wait') {
      this.pending.rewrite(odd.length, odd.plain);
      return { length: 0 };
    }
    const entity = entityAt(text, atEnd, (decoded) => beginsMarkup(decoded, this.tools));
    if (entity === 'wait' || (entity && 'text' in entity)) return entity;
    if (entity) {
      this.pending.decode(entity.levels, atEnd);
      return { length: 0 };
    }
    const line = parseStepLabel(atEnd ? text + END_OF_RESPONSE : text);
    if (line) return this.step(line, atEnd);
    if (this.tools.size > 0) {
      if (sign === '`') return this.code(atEnd);
      if (JSON_START.test(text)) return this.json(atEnd);
      const call = labelledCallAt(text, this.tools, atEnd);
      if (call) return call === 'wait' ? call : this.call(call, atEnd);
      if (/^(?:\{|\[)\s*(?:\{\s*)?(?:\\|[A-Za-z_]\w*\s*)?$/.test(text)) return 'wait';
      if (sign === '[' && /^\[\s*[\w.]+$/.test(text) && this.begins.incompleteCallLength(text) > 0)
        return 'wait';
    }
    if (sign === '`' || sign === '{') return { length: 1, text: sign };
    if (text.startsWith('<!--')) {
      this.enter(COMMENT);
      return { length: 4 };
    }
    const found = tagAt(text, this.tools);
    if (found === 'wait') return 'wait';
    const { length, tag } = found;
    if (!tag) return asText(text, length);
    if (tag.kind === 'reasoning-end') return { length, retracts: 'all' };
    if (tag.kind !== 'nothing' && (tag !== REST || this.hasText || this.calls.length > 0)) this.enter(tag);
    return { length };
  }

  /** `Thought:` within a text is reasoning only if an action or the final answer follows, `Observation:` only after a call. */
  private step({ length, step }: { length: number; step: string }, atEnd: boolean): TextMatch {
    const text = this.pending.text;
    if (!isAtLineStart(this.pending.outside)) return asText(text, length);
    if (step === 'final answer') return { length };
    const isAfterCall = this.calls.length > 0 || this.isUnreadable;
    const isFirst = this.pending.outside.trim() === '' && (this.isSpoken || this.tools.size > 0);
    const mayBeReasoning = step !== 'observation';
    const isReasoning =
      (step === 'thought' && isFirst) || (mayBeReasoning && this.begins.stepEndPattern.test(text));
    if (!isAfterCall && !isReasoning)
      return mayBeReasoning && !atEnd && text.length <= MAX_HELD ? 'wait' : asText(text, length);
    this.enter({ kind: 'reasoning', closes: this.begins.stepEndPattern });
    return { length };
  }

  private code(atEnd: boolean): TextMatch {
    const block = codeBlockAt(this.pending.text);
    if (block === 'wait') return 'wait';
    if (block === null) return { length: 1, text: '`' };
    if (this.isFenceOpen || hasReasoning(block, atEnd)) {
      const fence = this.isFenceOpen ? /^```/ : /^```(?:\w*(?=[ \t]*\n))?/;
      this.isFenceOpen = !this.isFenceOpen;
      return { length: fence.exec(block.text)?.[0].length ?? 0 };
    }
    if (!block.isClosed && !atEnd && block.text.length <= MAX_HELD) return 'wait';
    return this.accept(block.text.length, readCodeBlock(block.text, this.tools, this.isSpoken));
  }

  private json(atEnd: boolean): TextMatch {
    const json = jsonAt(this.pending.text, this.tools, this.isSpoken, atEnd);
    if (json === null) return this.pending.text.length <= MAX_HELD ? 'wait' : this.unended();
    return json === 'wait' ? json : this.accept(json.length, json);
  }

  private unended(): Exclude<TextMatch, 'wait'> {
    const { length, ...content } = readUnended(this.pending.text, this.tools, this.isSpoken);
    return this.accept(length, content);
  }

  private accept(
    length: number,
    { calls = [], isUnreadable = false, text = '' }: BlockContent,
  ): Exclude<TextMatch, 'wait'> {
    this.calls.push(...calls);
    this.isUnreadable ||= isUnreadable;
    return { length, text };
  }

  private callAt({ form, length, name }: CallStart, atEnd: boolean): TextMatch {
    if (form === 'list') return { length };
    if (form === 'action') return this.action(length, name);
    return this.call(bareCallAt({ form, length, name }, this.pending.text, atEnd), atEnd);
  }

  private action(length: number, name: string): TextMatch {
    this.isUnreadable ||= name === '';
    this.enter({ closes: INPUT_END, ...(name === '' ? { kind: 'reasoning' } : { kind: 'call', name }) });
    return { length };
  }

  /** A call that ends at `end`; if it cannot be parsed and is not `isSure`, its prefix is text. */
  private call({ head, end, body }: WrittenCall, atEnd: boolean): TextMatch {
    const text = this.pending.text;
    if (end < 0 && !atEnd && text.length <= MAX_HELD) return 'wait';
    const whole = end < 0 ? text : text.slice(0, end);
    const calls = end < 0 ? null : parseTextCalls(body(whole), this.tools);
    if (calls) this.calls.push(...calls);
    else if (head.isSure) this.isUnreadable = true;
    else return asText(text, head.length);
    return { length: whole.length };
  }
}
