import type { UnnumberedCall } from './call-pieces.js';
import { CallBegins, type CallBegin } from './call-begins.js';
import { balancedEnd, parsed } from './json-text.js';
import { hasRestOfCall, isRestOfCall, JSON_BEGINS } from './odd-json.js';
import { afterHead, isMarkBegun, markOf, tagAt, type Mark } from './text-marks.js';
import { callsOf, isCallForm, writtenCalls } from './written-calls.js';

/** Characters of a call that is written as text, of a block of code, and of a head. */
const MAX_HELD = 32 * 1024;
const MAX_HEAD = 300;
/** Of a thought these characters are kept: a mark that ends it is no longer. */
const MAX_MARK = 300;
const SPECIAL = /[<[`{◁]/;
const KEYWORD_BEGINS = /^\s*[A-Za-z_]\w*\s*=/;
/** DeepSeek's names of tags are in a space of their own. */
const FOREIGN_MARK = /<(\/?)[｜|]DSML[｜|]/g;
const BARE_FINAL = /assistantfinal|assistant(?=commentary\s+to=)/;

type Inside = Extract<Mark, { kind: 'thought' | 'call' | 'head' }>;
type Thought = Extract<Mark, { kind: 'thought' }>;
/** What stands at a place that may begin a mark. `wait`: more has to come. */
type Found = { length: number; text?: string; retracts?: true } | 'wait';

/**
 * Takes thoughts, marks of templates and calls of tools out of the text of an answer, however its pieces are cut. Calls
 * are looked for only where tools are offered: elsewhere JSON is an answer.
 */
export class AnswerText {
  readonly calls: UnnumberedCall[] = [];
  private pending = '';
  private inside: Inside | null = null;
  /** Thoughts that are open within the open one, and whether one of them has ended. */
  private depth = 0;
  private hasInnerEnd = false;
  private isUnreadable = false;
  private hasMark = false;
  private isRetracted = false;
  private readonly begins: CallBegins;
  private hasStarted = false;
  /** All but thoughts. */
  private outside = '';

  constructor(
    private readonly tools: ReadonlySet<string>,
    /** JSON is left out then, whatever it says. */
    private readonly isSpoken: boolean,
  ) {
    this.begins = new CallBegins(tools);
  }

  /** A call, or JSON, was written that cannot be run and must not be spoken. */
  get unreadable(): boolean {
    return this.isUnreadable || (this.tools.size > 0 && hasRestOfCall(this.outside));
  }

  /** Whether a thought was marked from its beginning to its end: then the text outside of it is none. */
  get marksThoughts(): boolean {
    return this.hasMark;
  }

  /** Whether all text until now was a thought; asked once for each time. */
  takeRetraction(): boolean {
    const was = this.isRetracted;
    this.isRetracted = false;
    return was;
  }

  /** @returns the text that may be spoken, as far as it can be told yet; after a retraction only what follows */
  push(piece: string): string {
    this.pending = (this.pending + piece).replace(FOREIGN_MARK, '<$1');
    return this.read(false);
  }

  /** @returns what was held back and is no mark */
  end(): string {
    return this.read(true);
  }

  private read(atEnd: boolean): string {
    let text = '';
    for (;;) {
      const step = this.inside ? this.readInside(this.inside, atEnd) : this.readText(atEnd);
      if (step?.retracts) {
        this.isRetracted = true;
        text = this.outside = '';
      }
      text += step?.text ?? '';
      if (!step || (step.done ?? false)) return text;
    }
  }

  private readInside(inside: Inside, atEnd: boolean): Step | null {
    if (inside.kind === 'head') return this.readHead(inside.until, atEnd);
    if (inside.kind === 'thought') return this.readThought(inside, atEnd);
    const { closes, name, tag } = inside;
    const end = closes?.exec(this.pending);
    if (!end && !atEnd) {
      if (this.pending.length > MAX_HELD) this.give();
      return null;
    }
    const body = this.take(end?.index ?? this.pending.length);
    const mark = this.take(end?.[0].length ?? 0);
    this.inside = null;
    this.callFound(tag === undefined ? body : tag + body + mark, name);
    return {};
  }

  /**
   * A thought may have thoughts in it, or only speak of their marks. What follows the end of an inner one belongs to
   * the thought where another end comes, else to the answer.
   */
  private readThought({ closes, opens }: Thought, atEnd: boolean): Step | null {
    const end = closes.exec(this.pending);
    const inner = opens?.exec(this.pending);
    if (inner && (!end || inner.index < end.index)) {
      this.take(inner.index + inner[0].length);
      this.depth += 1;
      return {};
    }
    if (end) {
      this.take(end.index + end[0].length);
      this.hasInnerEnd = (this.depth -= 1) >= 0;
      if (!this.hasInnerEnd) this.leaveThought();
      return {};
    }
    if (atEnd && this.hasInnerEnd) {
      this.leaveThought();
      return {};
    }
    if (!this.hasInnerEnd) this.pending = atEnd ? '' : this.pending.slice(-MAX_MARK);
    else if (this.pending.length > MAX_HELD) this.leaveThought();
    if (atEnd) this.inside = null;
    return null;
  }

  private leaveThought(): void {
    this.inside = null;
    this.depth = 0;
    this.hasInnerEnd = false;
    this.hasMark = true;
  }

  private readHead(until: string, atEnd: boolean): Step | null {
    const at = this.pending.indexOf(until);
    if (at < 0 && this.pending.length <= MAX_HEAD && !atEnd) return null;
    const head = this.take(at < 0 ? this.pending.length : at);
    this.take(until.length);
    const mark = afterHead(head);
    // The arguments stand behind the end of the head.
    const isLost = at < 0 && mark.kind === 'call';
    this.isUnreadable ||= isLost;
    this.inside = (mark.kind === 'thought' || mark.kind === 'call') && !isLost ? mark : null;
    // Whatever came before the final answer is none of it.
    return mark.kind === 'thought-end' ? { retracts: true } : {};
  }

  private readText(atEnd: boolean): Step | null {
    if (!this.hasStarted && !this.start(atEnd)) return null;
    if (this.inside) return {};
    const call = this.begins.find(this.pending);
    const sign = this.pending.search(SPECIAL);
    const ready = this.pending.length - (atEnd ? 0 : this.begins.heldAtEnd(this.pending));
    const at = Math.min(call?.at ?? Infinity, sign < 0 ? Infinity : sign);
    if (at >= ready && call?.at !== at) return ready === 0 ? null : { text: this.take(ready), done: true };
    const text = this.take(at);
    const found = call?.at === at ? this.callAt(call, atEnd) : this.special(atEnd);
    if (found === 'wait' && !atEnd) return text === '' ? null : { text, done: true };
    const { length, text: said = '', retracts = false } = found === 'wait' ? this.unended() : found;
    this.take(length);
    return retracts ? { retracts } : { text: text + said };
  }

  /** Where a server drops the marks of gpt-oss, only the words in them are left. @returns false: more has to come */
  private start(atEnd: boolean): boolean {
    const begun = this.pending.trimStart();
    if (!atEnd && 'analysis'.startsWith(begun)) return false;
    this.hasStarted = true;
    if (/^analysis[A-Z]/.test(begun)) this.inside = { kind: 'thought', closes: BARE_FINAL };
    return true;
  }

  private special(atEnd: boolean): Found {
    const text = this.pending;
    const sign = text.charAt(0);
    if (this.tools.size > 0) {
      if (sign === '`') return this.code(atEnd);
      if (JSON_BEGINS.test(text)) return this.json();
      if (/^(?:\{|\[)\s*(?:\{\s*)?(?:\\|[A-Za-z_]\w*\s*)?$/.test(text)) return 'wait';
      if (sign === '[' && /^\[\s*[\w.]+$/.test(text) && this.begins.heldAtEnd(text) > 0) return 'wait';
    }
    if (sign === '`' || sign === '{') return { length: 1, text: sign };
    if (text.startsWith('<!--')) {
      this.inside = { kind: 'thought', closes: /-->/ };
      return { length: 4 };
    }
    const length = tagAt(text);
    if (length < 0) return 'wait';
    const begun = length === 0 ? /^<[|｜/]?\w{5,}/.exec(text)?.[0] : undefined;
    if (begun !== undefined && isMarkBegun(begun)) return { length: begun.length };
    const mark = length === 0 ? null : markOf(text.slice(0, length), this.tools);
    if (!mark || (mark.kind === 'call' && this.tools.size === 0)) return literal(text, Math.max(1, length));
    if (mark.kind === 'thought-end') return { length, retracts: true };
    if (mark.kind !== 'nothing') this.inside = mark;
    return { length };
  }

  private code(atEnd: boolean): Found {
    const text = this.pending;
    if (/^`{1,2}$/.test(text)) return 'wait';
    if (!text.startsWith('```')) return { length: 1, text: '`' };
    const end = text.indexOf('```', 3);
    if (end < 0 && !atEnd && text.length <= MAX_HELD) return 'wait';
    const whole = end < 0 ? text : text.slice(0, end + 3);
    const [, language = '', body = ''] = /^```(\w*)\s*([^]*?)(?:```)?$/.exec(whole) ?? [];
    const calls = writtenCalls(body.replace(/^print\(([^]*)\)\s*$/, '$1'), this.tools);
    const value = parsed(body);
    const isData = /^(?:json|xml)/.test(language) || /^[{[]/.test(body);
    if (calls) this.calls.push(...calls);
    else if (/^(?:think|thought|reason)/.test(language)) return { length: whole.length };
    else if (language.startsWith('tool') || isCallForm(value) || (isData && isRestOfCall(body, value)))
      this.isUnreadable = true;
    else if (body.trim() !== '' && !(isData && this.isSpoken)) return { length: whole.length, text: whole };
    return { length: whole.length };
  }

  private json(): Found {
    const end = balancedEnd(this.pending, 0);
    if (end < 0) return this.pending.length <= MAX_HELD ? 'wait' : this.unended();
    const value = parsed(this.pending.slice(0, end));
    const calls = callsOf(value, this.tools);
    if (calls) this.calls.push(...calls);
    else if (isCallForm(value) || isRestOfCall(this.pending.slice(0, end), value)) this.isUnreadable = true;
    else if (!this.isSpoken) return { length: end, text: this.pending.slice(0, end) };
    return { length: end };
  }

  private callAt({ form, length, name }: CallBegin, atEnd: boolean): Found {
    if (form === 'list') return { length };
    const text = this.pending;
    const isList = form === 'code' && text.startsWith('[');
    const end = balancedEnd(text, isList ? 0 : form === 'code' ? text.indexOf('(') : length);
    const isCode = form === 'named' || isList || KEYWORD_BEGINS.test(text.slice(length));
    if (end < 0 && !atEnd && text.length <= MAX_HELD) return 'wait';
    const whole = text.slice(0, end < 0 ? text.length : end);
    const calls =
      end < 0 ? null : writtenCalls(form === 'named' ? `${name} ${whole.slice(length)}` : whole, this.tools);
    if (calls) this.calls.push(...calls);
    else if (isCode) this.isUnreadable = true;
    else return literal(text, length);
    return { length: whole.length };
  }

  /** At the end of the answer: what may have become a mark or JSON. */
  private unended(): Exclude<Found, 'wait'> {
    const text = this.pending;
    if (JSON_BEGINS.test(text)) {
      this.isUnreadable ||= isRestOfCall(text, undefined);
      return this.isUnreadable || this.isSpoken ? { length: text.length } : literal(text, text.length);
    }
    if (isMarkBegun(text)) return { length: text.length };
    return { length: 1, text: text.charAt(0) };
  }

  private callFound(text: string, name?: string): void {
    const calls = writtenCalls(text, this.tools, name);
    if (calls) this.calls.push(...calls);
    else this.isUnreadable = true;
  }

  /** The call is too long to be one. */
  private give(): void {
    this.isUnreadable = true;
    this.pending = '';
  }

  private take(length: number): string {
    const taken = this.pending.slice(0, length);
    this.pending = this.pending.slice(length);
    if (this.inside?.kind !== 'thought') this.outside += taken;
    return taken;
  }
}

interface Step {
  text?: string;
  /** All that can be told now is said. */
  done?: boolean;
  /** The text before it was a thought. */
  retracts?: boolean;
}

const literal = (text: string, length: number): { length: number; text: string } => ({
  length,
  text: text.slice(0, length),
});
