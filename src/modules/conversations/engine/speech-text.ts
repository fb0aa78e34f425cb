import { sayNumbers } from './spoken-numbers.js';

/** An answer stops at the end of a sentence after this many characters, about a minute of speech … */
const ENOUGH_CHARACTERS = 1_000;
/** … and at the end of a word here, if no sentence ends. */
const MOST_CHARACTERS = 1_500;
/** A bracket that is not closed within this many characters is no markup. */
const MAX_MARKUP_CHARACTERS = 400;

/** Pictures; signs such as © are none. */
const EMOJI =
  /(?![©®™#*\d])[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|\u200D|\uFE0F|\u20E3/gu;
/** A word after which a number or a list's item may go on: it waits for the next word. */
const UNFINISHED = /[\d€$£]$|^[-–—*+•>|#]+$/;
const OPEN_MARKUP = /(?:!?\[[^\]]*|\[[^\]]*\]|\[[^\]]*\]\([^)]*|<[^<>]*)$/;

/**
 * Makes a model's answer fit to be spoken while it streams: without markup, links and emojis, with numbers as they
 * are said, and no longer than a customer listens.
 */
export class SpeechText {
  private pending = '';
  private atLineStart = true;
  private last = ' ';
  private length = 0;
  private full = false;

  constructor(private readonly language: string) {}

  /** The answer is as long as it may be: the rest is not spoken. */
  get ended(): boolean {
    return this.full;
  }

  /** @returns what can be spoken now; a word that may be part of markup or of a number waits for what follows. */
  add(token: string): string {
    this.pending += token;
    return this.release((text) => readyLength(text));
  }

  /** @returns the rest, when nothing follows. */
  rest(): string {
    return this.release((text) => text.length);
  }

  private release(ready: (text: string) => number): string {
    const end = ready(this.pending);
    const raw = this.pending.slice(0, end);
    this.pending = this.pending.slice(end);
    return raw === '' || this.full ? '' : this.limit(this.clean(raw));
  }

  private clean(raw: string): string {
    const text = (this.atLineStart ? '\n' : '') + raw;
    this.atLineStart = raw.endsWith('\n');
    const plain = sayNumbers(withoutMarkup(text), this.language);
    const line = this.inOneLine(plain);
    this.last = line.at(-1) ?? this.last;
    return line;
  }

  /** The end of a line is a pause, as the end of a sentence is. */
  private inOneLine(text: string): string {
    let line = '';
    for (const part of text.split(/(\s+)/)) {
      const last = line.at(-1) ?? this.last;
      if (part.trim() !== '') line += part;
      else if (part !== '' && /[^\s]/.test(last))
        line += part.includes('\n') && /[\p{L}\p{N})]/u.test(last) ? '. ' : ' ';
    }
    return line;
  }

  private limit(text: string): string {
    const before = this.length;
    this.length += text.length;
    if (this.length <= ENOUGH_CHARACTERS) return text;
    const from = Math.max(0, ENOUGH_CHARACTERS - before);
    const end = text.slice(from).search(/[.!?…。！？](?=\s|$)/);
    if (end >= 0) {
      this.full = true;
      return text.slice(0, from + end + 1);
    }
    if (this.length < MOST_CHARACTERS) return text;
    this.full = true;
    const cut = text.slice(0, MOST_CHARACTERS - before);
    return cut.slice(0, Math.max(0, cut.lastIndexOf(' ')));
  }
}

function readyLength(text: string): number {
  let end = text.length;
  for (;;) {
    while (end > 0 && /\S/.test(text.charAt(end - 1))) end -= 1;
    if (end === 0) return 0;
    const markup = OPEN_MARKUP.exec(text.slice(0, end))?.index;
    const word = /\S+(?=\s*$)/.exec(text.slice(Math.max(0, end - 60), end))?.[0];
    if (markup !== undefined && text.length - markup <= MAX_MARKUP_CHARACTERS) end = markup;
    else if (word !== undefined && UNFINISHED.test(word)) end = text.slice(0, end).trimEnd().length;
    else return end;
  }
}

function withoutMarkup(text: string): string {
  return text
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/\b(?:https?:\/\/(?:www\.)?|www\.)([\w.-]*\w)(?:[/?#:][^\s)]*[^\s).,;:!?])?\/?/gi, '$1')
    .replace(/\n[ \t]*(?:[-*_=]{3,}|`{3,}\w*)[ \t]*(?=\n|$)/g, '\n')
    .replace(/\n[ \t]*(?:[-*+•>]+|#{1,6})[ \t]+/g, '\n')
    .replace(/[ \t]*\|[ \t]*/g, ', ')
    .replace(/\(\s*\)/g, '')
    .replace(/\*+|~~|`+/g, '')
    .replace(/(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
    .replace(EMOJI, '');
}
