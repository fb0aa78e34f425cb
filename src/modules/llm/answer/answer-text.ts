import type { UnnumberedCall } from './call-pieces.js';
import { balancedEnd, parsed } from './json-text.js';
import { afterHead, isMarkBegun, markOf, tagAt, type Mark } from './text-marks.js';
import { callsOf, isCallForm, writtenCalls } from './written-calls.js';

/** Characters of a call that is written as text, of a block of code, and of a head. */
const MAX_HELD = 32 * 1024;
const MAX_HEAD = 300;
/** Of a thought these characters are kept: a mark that ends it is no longer. */
const MAX_MARK = 300;
const SPECIAL = /[<[`{◁]/;

type Inside = Extract<Mark, { kind: 'thought' | 'call' | 'head' }>;
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
  private isUnreadable = false;
  private hasMark = false;
  private isRetracted = false;
  private readonly callBegins: RegExp | null;

  constructor(
    private readonly tools: ReadonlySet<string>,
    /** JSON is left out then, whatever it says. */
    private readonly isSpoken: boolean,
  ) {
    const names = [...tools].map((name) => name.replace(/[^\w-]/g, '')).filter((name) => name !== '');
    this.callBegins =
      names.length > 0
        ? new RegExp(`\\[?\\s*(?<![\\w-])(?:functions\\.|default_api\\.)?(?:${names.join('|')})\\(`)
        : null;
  }

  /** A call, or JSON, was written that cannot be run and must not be spoken. */
  get unreadable(): boolean {
    return this.isUnreadable;
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
    this.pending += piece;
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
        text = '';
      }
      text += step?.text ?? '';
      if (!step || (step.done ?? false)) return text;
    }
  }

  private readInside(inside: Inside, atEnd: boolean): Step | null {
    if (inside.kind === 'head') return this.readHead(inside.until, atEnd);
    const end = inside.closes?.exec(this.pending);
    if (!end) {
      if (inside.kind === 'thought') this.pending = atEnd ? '' : this.pending.slice(-MAX_MARK);
      else if (atEnd) this.callFound(this.take(this.pending.length), inside.name);
      else if (this.pending.length > MAX_HELD) this.give();
      if (atEnd) this.inside = null;
      return null;
    }
    const body = this.take(end.index);
    this.take(end[0].length);
    this.inside = null;
    if (inside.kind === 'call') this.callFound(body, inside.name);
    else this.hasMark = true;
    return {};
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
    const call = this.callBegins?.exec(this.pending)?.index ?? Infinity;
    const sign = this.pending.search(SPECIAL);
    const at = Math.min(call, sign < 0 ? Infinity : sign);
    if (at === Infinity) {
      const ready = this.pending.length - (atEnd ? 0 : this.nameAtEnd());
      return ready === 0 ? null : { text: this.take(ready), done: true };
    }
    const text = this.take(at);
    const found = call === at ? this.keywordCall(atEnd) : this.special(atEnd);
    if (found === 'wait' && !atEnd) return text === '' ? null : { text, done: true };
    const { length, text: said = '', retracts = false } = found === 'wait' ? this.unended() : found;
    this.take(length);
    return retracts ? { retracts } : { text: text + said };
  }

  /** A name of a tool at the end of the text may begin a call. */
  private nameAtEnd(): number {
    const word = /[\w.-]{3,64}$/.exec(this.pending)?.[0] ?? '';
    return this.isNameBegun(word) ? word.length : 0;
  }

  private isNameBegun(word: string): boolean {
    const bare = word.replace(/^(?:functions|default_api)\./, '');
    return word !== '' && [...this.tools].some((name) => name.startsWith(bare));
  }

  private special(atEnd: boolean): Found {
    const text = this.pending;
    const sign = text.charAt(0);
    if (this.tools.size > 0) {
      if (sign === '`') return this.code(atEnd);
      if (/^(?:\{|\[\s*\{)\s*["']/.test(text)) return this.json();
      if (/^(?:\{|\[)\s*(?:\{\s*)?$/.test(text)) return 'wait';
      if (sign === '[' && this.isNameBegun(/^\[\s*([\w.]+)$/.exec(text)?.[1] ?? '')) return 'wait';
    }
    if (sign === '`' || sign === '{') return { length: 1, text: sign };
    const length = tagAt(text);
    if (length < 0) return 'wait';
    const begun = length === 0 ? /^<[|｜/]?\w{5,}/.exec(text)?.[0] : undefined;
    if (begun !== undefined && isMarkBegun(begun)) return { length: begun.length };
    const mark = length === 0 ? null : markOf(text.slice(0, length));
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

  private keywordCall(atEnd: boolean): Found {
    const open = this.pending.indexOf('(');
    const end = balancedEnd(this.pending, open);
    if (end < 0) return atEnd || this.pending.length > MAX_HELD ? literal(this.pending, open + 1) : 'wait';
    const calls = writtenCalls(this.pending.slice(0, end), this.tools);
    if (!calls) return literal(this.pending, open + 1);
    this.calls.push(...calls);
    const closes = this.pending.startsWith('[')
      ? (/^\s*\]/.exec(this.pending.slice(end))?.[0].length ?? 0)
      : 0;
    return { length: end + closes };
  }

  /** At the end of the answer: what may have become a mark or JSON. */
  private unended(): Exclude<Found, 'wait'> {
    const text = this.pending;
    if (/^[{[]\s*(?:\{\s*)?["']/.test(text)) {
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

/** Of JSON that cannot be read: whether a call was meant. */
const isRestOfCall = (text: string, value: unknown): boolean =>
  value === undefined && /"(?:name|function|arguments|parameters|tool_calls|function_call)"/.test(text);

const literal = (text: string, length: number): { length: number; text: string } => ({
  length,
  text: text.slice(0, length),
});
