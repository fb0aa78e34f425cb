import { numberWordsIn } from './number-words.js';
import { readRuns, readTokens } from './number-items.js';
import { findNumbers, findOpenNumber, type FoundNumber, type SearchOptions } from './find-numbers.js';
import { replaceNumbers } from './redact-text.js';
import { MORE_DIGITS } from './spoken-words.js';

/** Words of the assistant between two parts of a number ("Go on, please."). */
const MAX_WORDS_BETWEEN = 8;
/** The same of a question ("Yes?"); a longer one asks for something else … */
const MAX_WORDS_OF_QUESTION = 2;
/** … unless words say what the number is, or ask for digits ("What are the next four digits?"), and some follow. */
const MAX_WORDS_WHEN_NAMED = 25;
const MIN_DIGITS_WHEN_NAMED = 3;
/** Words before the next part of a number ("and then"). */
const MAX_LEADING_WORDS = 3;
/** Turns that one number is spread over. */
const MAX_PARTS = 6;

/** When the unfinished number at the end of a turn is hidden until the next turn shows what it is. */
export interface HoldingRule {
  /** Fewer digits and letters stay. */
  minLength: number;
  /** Only where the words before it say what it is. */
  onlyNamed: boolean;
}

/** For what is stored: nobody needs it at once, and it is written again when the next turn shows that it was no part. */
export const HOLD_ALL: HoldingRule = { minLength: 4, onlyNamed: false };
/** For the model, which has to answer the turn. */
export const HOLD_NAMED: HoldingRule = { minLength: 6, onlyNamed: true };

export interface RedactedTurn {
  seq: number;
  text: string;
}

interface Part {
  seq: number;
  text: string;
  /** The text as it was given out last. */
  shown: string;
}

/** Redacts the turns of one call: a number may be spread over several turns of the customer. */
export class TurnRedactor {
  /** The customer's last turns that end with an unfinished number. */
  private open: Part[] = [];
  /** The question before the open number. */
  private question = '';
  private between = '';
  private isNamed = false;

  constructor(
    private options: SearchOptions,
    private readonly rule: HoldingRule,
  ) {}

  /** The same state, for a turn that may be tried again. */
  copy(): TurnRedactor {
    const copy = new TurnRedactor(this.options, this.rule);
    const { question, between, isNamed } = this;
    return Object.assign(copy, { open: this.open.map((part) => ({ ...part })), question, between, isNamed });
  }

  /** @param text of a whole turn */
  addAssistant(text: string): void {
    this.between = text;
  }

  /** The customer speaks another language from now on. @param language BCP 47 */
  changeLanguage(language: string): void {
    this.options = { ...this.options, language };
  }

  /** @returns the turn, and earlier ones whose text changes */
  addCustomer(seq: number, text: string): RedactedTurn[] {
    // Words that arrive late replace those of the same turn.
    this.open = this.open.filter((part) => part.seq !== seq);
    const continues = this.continuesNumber(text);
    const settled = continues ? [] : this.settle();
    if (!continues) this.question = this.between;
    this.between = '';
    this.open.push({ seq, text, shown: '' });
    const { found, isOpen, joined } = this.search();
    const changed = this.show(joined, found, seq);
    if (!isOpen) this.open = [];
    return [...settled, ...changed];
  }

  /** The conversation ends: an unfinished number is none. @returns the turns whose text changes */
  finish(): RedactedTurn[] {
    return this.settle();
  }

  private settle(): RedactedTurn[] {
    const joined = this.join();
    const found = findNumbers(joined, { ...this.options, before: this.question });
    const changed = this.show(joined, found, null);
    this.open = [];
    return changed;
  }

  private search(): { joined: string; found: FoundNumber[]; isOpen: boolean } {
    const joined = this.join();
    const options = { ...this.options, before: this.question };
    const found = findNumbers(joined, options);
    const rest = findOpenNumber(joined, options, found);
    const isOpen = rest !== null && this.open.length < MAX_PARTS;
    const isHeld = isOpen && rest.length >= this.rule.minLength && (rest.isNamed || !this.rule.onlyNamed);
    this.isNamed = rest?.isNamed ?? false;
    const isGuessed = rest !== null && found.some(({ start, end }) => start < rest.end && rest.start < end);
    if (isHeld && !isGuessed) found.push({ start: rest.start, end: rest.end, kind: 'part' });
    return { joined, found, isOpen };
  }

  /** The parts of the number as one text of the same length: the words before later parts are blank. */
  private join(): string {
    return this.open.map(({ text }, index) => (index === 0 ? text : this.withoutLead(text))).join(' ');
  }

  private withoutLead(text: string): string {
    const start = this.leadEnd(text) ?? 0;
    return ' '.repeat(start) + text.slice(start);
  }

  /** The turns as they are shown now, those that change and the one with this `seq`. */
  private show(joined: string, found: readonly FoundNumber[], seq: number | null): RedactedTurn[] {
    let offset = 0;
    const changed: RedactedTurn[] = [];
    for (const part of this.open) {
      const [start, end] = [offset, offset + part.text.length];
      const inPart = found
        .filter((one) => one.start < end && start < one.end)
        .map((one) => clip(one, joined, { start, end }))
        .filter((one) => one !== null);
      const text = replaceNumbers(part.text, inPart);
      if (text !== part.shown || part.seq === seq) changed.push({ seq: part.seq, text });
      part.shown = text;
      offset = end + 1;
    }
    return changed;
  }

  private continuesNumber(text: string): boolean {
    if (this.open.length === 0) return false;
    const words = this.between.match(/[\p{L}\p{M}\d]+/gu)?.length ?? 0;
    const isShort = words <= (this.between.includes('?') ? MAX_WORDS_OF_QUESTION : MAX_WORDS_BETWEEN);
    const start = this.leadEnd(text);
    if (start === null || isShort) return start !== null;
    if (words > MAX_WORDS_WHEN_NAMED || !(this.isNamed || MORE_DIGITS.test(this.between))) return false;
    const [run = []] = readRuns(text.slice(start), this.language, 99);
    return run.reduce((sum, { value }) => sum + value.length, 0) >= MIN_DIGITS_WHEN_NAMED;
  }

  /** ISO 639-1 */
  private get language(): string {
    return (this.options.language.split('-')[0] ?? '').toLowerCase();
  }

  /** Where the first number begins, after a few words; null: not there. */
  private leadEnd(text: string): number | null {
    const { language } = this;
    const { valueOf } = numberWordsIn(language);
    const words = readTokens(text).filter((token) => /^[\p{L}\d]/u.test(token.text));
    const index = words.findIndex((token) => /^\d/.test(token.text) || valueOf.has(token.word));
    if (index < 0 || index > MAX_LEADING_WORDS) {
      const run = readRuns(text, language, 99)[0]?.[0];
      return run && text.slice(0, run.start).trim() === '' ? run.start : null;
    }
    return words[index]?.start ?? null;
  }
}

/** The part of a number in one turn, without the space around it; null: only space. */
function clip(
  { start, end, kind }: FoundNumber,
  joined: string,
  turn: { start: number; end: number },
): FoundNumber | null {
  const from = Math.max(start, turn.start);
  const to = Math.min(end, turn.end);
  const words = joined.slice(from, to);
  if (words.trim() === '') return null;
  const first = from + (words.length - words.trimStart().length);
  const last = to - (words.length - words.trimEnd().length);
  return { start: first - turn.start, end: last - turn.start, kind };
}
