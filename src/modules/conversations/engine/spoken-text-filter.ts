import { sentenceEnds } from '../../speech/sentence-splitter.js';
import { wordStart } from '../../speech/word-positions.js';
import { spellOutNumbers } from './spoken-numbers.js';

/** A response ends with a sentence after this many characters, about a minute of speech … */
const SOFT_LIMIT_CHARACTERS = 1_000;
/** … and with a word here, if no sentence ends. */
const HARD_LIMIT_CHARACTERS = 1_500;
/** Maximum length of markup; a bracket open for longer is text. */
const MAX_MARKUP_CHARACTERS = 400;
/** Maximum text that waits for the next token, and that is read at a time: patterns take quadratic time. */
const MAX_WAITING_CHARACTERS = 500;
const MAX_PIECE_CHARACTERS = 1_000;

/** Emojis, without signs such as ©. */
const EMOJI =
  /(?![©®™#*\d])[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|\u200D|\uFE0F|\u20E3/gu;
/** After these, text is complete: a blank, or a mark of Chinese and Japanese, which no blank follows. */
const BREAK = /[\s。！？、，；：]/;
/** The end of a word that may be part of a number or a list's item: it waits for the next word. */
const UNFINISHED = /[\d\p{Sc}]\)?$|^[-–—*+•>|#:]+$/u;
/** A stage direction in parentheses or asterisks; in square brackets everything is one. */
const STAGE_DIRECTION =
  /\((?:laugh(?:s|ing|ter)?|chuckles?|giggles?|sighs?|smiles?|pauses?|coughs?|gasps?|whispers?)\)|\*(?:laughs|chuckles|giggles|sighs|smiles|pauses|coughs|gasps|whispers)\*/gi;
/** The line under the head of a table. */
const TABLE_RULE = /\n[ \t]*\|?(?:[ \t]*:?-{2,}:?[ \t]*\|)+(?:[ \t]*:?-{2,}:?)?[ \t]*(?=\n|$)/g;
const OPEN_MARKUP = /(?:【[^】]*|!?\[[^\]]*|\[[^\]]*\]|\[[^\]]*\]\([^)]*|<[^<>]*)$/;

/**
 * Prepares a streaming response of a model for speech: removes markup, links and emojis, spells out numbers, and limits
 * the length.
 */
export class SpokenTextFilter {
  private pending = '';
  private atLineStart = true;
  private last = ' ';
  private length = 0;
  private hasReachedLimit = false;

  constructor(private readonly language: string) {}

  /** The length limit is reached: the rest is not spoken. */
  get isFull(): boolean {
    return this.hasReachedLimit;
  }

  /**
   * @returns the text ready for speech, up to a blank or a mark of Chinese or Japanese; a word that may be part of markup
   * or a number waits for the next token.
   */
  add(token: string): string {
    let ready = '';
    for (let at = 0; at < token.length && !this.hasReachedLimit; at += MAX_PIECE_CHARACTERS) {
      this.pending += token.slice(at, at + MAX_PIECE_CHARACTERS);
      ready += this.release((text) => readyLength(text));
    }
    return ready;
  }

  /** @returns the rest, at the end of the response. */
  flush(): string {
    this.pending = this.pending.replace(/[ \t]*\|[ \t]*$/, '');
    return this.release((text) => text.length);
  }

  private release(ready: (text: string) => number): string {
    const end = ready(this.pending);
    const raw = this.pending.slice(0, end);
    this.pending = this.pending.slice(end);
    return raw === '' || this.hasReachedLimit ? '' : this.limit(this.clean(raw));
  }

  private clean(raw: string): string {
    const text = (this.atLineStart ? '\n' : '') + raw;
    this.atLineStart = raw.endsWith('\n');
    const plain = spellOutNumbers(withoutMarkup(text), this.language);
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
    if (this.length <= SOFT_LIMIT_CHARACTERS) return text;
    const end = sentenceEnds(`${text} `).find((at) => at > SOFT_LIMIT_CHARACTERS - before);
    if (end !== undefined) {
      this.hasReachedLimit = true;
      return text.slice(0, end).trimEnd();
    }
    if (this.length < HARD_LIMIT_CHARACTERS) return text;
    this.hasReachedLimit = true;
    return text.slice(0, wordStart(text, HARD_LIMIT_CHARACTERS - before)).trimEnd();
  }
}

function readyLength(text: string): number {
  let end = text.length;
  for (;;) {
    while (end > 0 && !BREAK.test(text.charAt(end - 1))) end -= 1;
    if (text.length - end > MAX_WAITING_CHARACTERS) return text.length;
    if (end === 0) return 0;
    const from = Math.max(0, text.length - MAX_MARKUP_CHARACTERS);
    const markup = OPEN_MARKUP.exec(text.slice(from, end))?.index;
    const word = /\S+(?=\s*$)/.exec(text.slice(Math.max(0, end - 60), end))?.[0];
    if (markup !== undefined) end = from + markup;
    else if (word !== undefined && UNFINISHED.test(word)) end = text.slice(0, end).trimEnd().length;
    else return end;
  }
}

function withoutMarkup(text: string): string {
  return text
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\[[^\]]*\]|【[^】]*†[^】]*】/g, '')
    .replace(STAGE_DIRECTION, '')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(
      /\b(?:https?:\/\/(?:www\.)?|www\.)([\w.-]*\w)(?:[/?#:][^\s)\u3000-\uffef]*[^\s).,;:!?\u3000-\uffef])?\/?/gi,
      '$1',
    )
    .replace(/\n[ \t]*(?:[-*_=]{3,}|`{3,}\w*)[ \t]*(?=\n|$)/g, '\n')
    .replace(/\n[ \t]*(?:[-*+•>]+|#{1,6})[ \t]+/g, '\n')
    .replace(TABLE_RULE, '')
    .replace(/[ \t]*\|[ \t]*(?=\n)/g, '')
    .replace(/\n[ \t]*\|[ \t]*/g, '\n')
    .replace(/[ \t]*\|[ \t]*/g, ', ')
    .replace(/\(\s*\)/g, '')
    .replace(/\*+|~~|`+/g, '')
    .replace(/(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
    .replace(EMOJI, '');
}
