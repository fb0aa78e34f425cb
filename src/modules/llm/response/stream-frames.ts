import { isObject } from '#src/common/validation/field-rules.js';
import { extractJson, tryParseJson, type JsonObject } from './json-text.js';

/** `[DONE]` */
export const END_OF_STREAM = Symbol('done');
/** A frame with invalid JSON: a part of the response is lost. */
export const INVALID_FRAME = Symbol('lost');
export type StreamFrame = JsonObject | typeof END_OF_STREAM | typeof INVALID_FRAME;

/** Characters of one line; a longer one is lost. */
const MAX_LINE = 1024 * 1024;
const DATA = /^\s*data\s*:(.*)$/s;
const EVENT = /^\s*event\s*:\s*(\S*)/;
/** Not `[PING]`. */
const BEGINS_JSON = /^\s*(?:\{|\[(?!\s*[A-Z]))/;
const FIELD = /^\s*(?::|(?:event|id|retry)\s*:)/;
const END_MARK = /^"?\[done\]/i;
/** Behind the last frame, in its line. */
const END_MARK_BEHIND = /(?<=[}\]])\s{0,5}(?:data:)?\s{0,5}\[done\]$/i;

/**
 * Parses the frames of a body: server-sent events with any line ends and comments, events of several lines, JSON lines
 * without `data:`, and a body that is one JSON text.
 */
export class StreamFrameParser {
  private incompleteLine = '';
  private data = '';
  private event = '';
  /** Whether the body is JSON without events; null before its first line. */
  private isPlain: boolean | null = null;

  push(chunk: string): StreamFrame[] {
    this.incompleteLine += chunk;
    if (!/[\r\n]/.test(chunk)) return this.incompleteLine.length > MAX_LINE ? this.discardOverlong() : [];
    // A CR at the end may be half of a CRLF.
    const lines = this.incompleteLine.split(/\r\n|\n|\r(?!$)/);
    this.incompleteLine = lines.pop() ?? '';
    return lines.flatMap((line) => this.parseLine(line));
  }

  end(): StreamFrame[] {
    const last = this.incompleteLine;
    this.incompleteLine = '';
    return [...this.parseLine(last), ...this.endEvent()];
  }

  private parseLine(line: string): StreamFrame[] {
    const isBlank = line.trim() === '';
    if (this.isPlain === null && !isBlank) this.isPlain = BEGINS_JSON.test(line);
    if (this.isPlain) return isBlank ? [] : this.addData(line);
    if (isBlank) return this.endEvent();
    this.event = EVENT.exec(line)?.[1] ?? this.event;
    const goesOn = this.data !== '' && !FIELD.test(line);
    const data = DATA.exec(line)?.[1] ?? (goesOn || BEGINS_JSON.test(line) ? line : null);
    return data === null ? [] : this.addData(data);
  }

  /** Does not wait for the blank line after an event: some servers leave it out. */
  private addData(data: string): StreamFrame[] {
    const text = data.trim();
    if (END_MARK.test(text)) return [...this.endEvent(), END_OF_STREAM];
    const end = END_MARK_BEHIND.exec(text);
    if (end) return [...this.addData(text.slice(0, end.index)), ...this.endEvent(), END_OF_STREAM];
    const isFirst = this.data === '';
    if (isFirst && !BEGINS_JSON.test(text)) return [];
    const all = isFirst ? text : `${this.data}\n${text}`;
    if (all.length > MAX_LINE) return this.discardOverlong();
    const whole = /[}\]]$/.test(text) ? parseValues(all) : null;
    if (whole) return this.toFrames(whole, false);
    const own = isFirst || !/^[{].*[}]$/s.test(text) ? null : parseValues(text);
    if (own?.some(isFrame)) return this.toFrames(own, true);
    this.data = all;
    return [];
  }

  private toFrames(values: readonly unknown[], lost: boolean): StreamFrame[] {
    this.data = '';
    const isError = this.event === 'error';
    const frames = values
      .flat()
      .filter(isObject)
      .map((frame) => (isError && !('error' in frame) && !('choices' in frame) ? { error: frame } : frame));
    return lost ? [INVALID_FRAME, ...frames] : frames;
  }

  private endEvent(): StreamFrame[] {
    this.event = '';
    if (this.data === '') return [];
    this.data = '';
    return [INVALID_FRAME];
  }

  private discardOverlong(): StreamFrame[] {
    this.incompleteLine = this.data = '';
    return [INVALID_FRAME];
  }
}

/** False for an object within a frame of several lines. */
const isFrame = (value: unknown): boolean =>
  isObject(value) && ['choices', 'error', 'usage'].some((name) => name in value);

/** From one JSON text, or several that a proxy joined in one line. */
function parseValues(text: string): unknown[] | null {
  const value = tryParseJson(text);
  if (value !== undefined) return [value];
  const several = extractJson(text);
  return several && /^(?:\s|data:)*$/.test(several.between) ? several.values : null;
}
