import { isObject } from '#src/common/validation/field-rules.js';
import { jsonIn, parsed, type JsonObject } from './json-text.js';

/** The mark that ends a stream. */
export const DONE = Symbol('done');
/** A frame that begins as JSON and is none: a part of the answer is lost. */
export const LOST = Symbol('lost');
export type Frame = JsonObject | typeof DONE | typeof LOST;

/** Characters of one line; a longer one is lost. */
const MAX_LINE = 1024 * 1024;
const DATA = /^\s*data\s*:(.*)$/s;
const EVENT = /^\s*event\s*:\s*(\S*)/;
/** Not `[PING]`. */
const BEGINS_JSON = /^\s*(?:\{|\[(?!\s*[A-Z]))/;
const FIELD = /^\s*(?::|(?:event|id|retry)\s*:)/;
const END_MARK = /^"?\[DONE\]/;

/**
 * Takes the frames out of a body: server-sent events with any line ends and comments, events of several lines, JSON
 * lines without `data:`, and a body that is one JSON text.
 */
export class StreamFrames {
  private rest = '';
  private data = '';
  private event = '';
  /** Whether the body is JSON without events; null before its first line. */
  private isPlain: boolean | null = null;

  push(chunk: string): Frame[] {
    this.rest += chunk;
    if (!/[\r\n]/.test(chunk)) return this.rest.length > MAX_LINE ? this.overlong() : [];
    // A CR at the end may be the half of a CRLF.
    const lines = this.rest.split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.line(line));
  }

  end(): Frame[] {
    const last = this.rest;
    this.rest = '';
    return [...this.line(last), ...this.close()];
  }

  private line(line: string): Frame[] {
    const isBlank = line.trim() === '';
    if (this.isPlain === null && !isBlank) this.isPlain = BEGINS_JSON.test(line);
    if (this.isPlain) return isBlank ? [] : this.add(line);
    if (isBlank) return this.close();
    this.event = EVENT.exec(line)?.[1] ?? this.event;
    const goesOn = this.data !== '' && !FIELD.test(line);
    const data = DATA.exec(line)?.[1] ?? (goesOn || BEGINS_JSON.test(line) ? line : null);
    return data === null ? [] : this.add(data);
  }

  /** Does not wait for the blank line after an event: some servers leave it out. */
  private add(data: string): Frame[] {
    const text = data.trim();
    if (END_MARK.test(text)) return [...this.close(), DONE];
    const isFirst = this.data === '';
    if (isFirst && !BEGINS_JSON.test(text)) return [];
    const all = isFirst ? text : `${this.data}\n${text}`;
    if (all.length > MAX_LINE) return this.overlong();
    const whole = /[}\]]$/.test(text) ? valuesOf(all) : null;
    if (whole) return this.framesOf(whole, false);
    const own = isFirst || !/^[{].*[}]$/s.test(text) ? null : valuesOf(text);
    if (own?.some(isFrame)) return this.framesOf(own, true);
    this.data = all;
    return [];
  }

  private framesOf(values: readonly unknown[], lost: boolean): Frame[] {
    this.data = '';
    const isError = this.event === 'error';
    const frames = values
      .flat()
      .filter(isObject)
      .map((frame) => (isError && !('error' in frame) && !('choices' in frame) ? { error: frame } : frame));
    return lost ? [LOST, ...frames] : frames;
  }

  private close(): Frame[] {
    this.event = '';
    if (this.data === '') return [];
    this.data = '';
    return [LOST];
  }

  private overlong(): Frame[] {
    this.rest = this.data = '';
    return [LOST];
  }
}

/** Unlike an object within a frame that is written over several lines. */
const isFrame = (value: unknown): boolean =>
  isObject(value) && ['choices', 'error', 'usage'].some((name) => name in value);

/** Of one JSON text, or of several that a proxy has put into one line. */
function valuesOf(text: string): unknown[] | null {
  const value = parsed(text);
  if (value !== undefined) return [value];
  const several = jsonIn(text);
  return several && /^(?:\s|data:)*$/.test(several.between) ? several.values : null;
}
