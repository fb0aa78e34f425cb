/** More characters than a line with 64 KiB of variables, its quotes and separators can have. */
const MAX_LINE_CHARACTERS = 192 * 1024;
/** Also of lines: a file with a longer line is read on behind it. */
export const MAX_COLUMNS = 200;

/** The texts of a line, without whitespace around them; one of them is not empty. */
export interface CsvRow {
  /** In the file, from 1; where the row begins. */
  line: number;
  values: string[];
}

/** A line that cannot be read. It is the last item if `problem` is one that ends reading. */
export interface UnreadableRow {
  line: number;
  problem: string;
}

export const TOO_MANY_VALUES = `The line has more than ${MAX_COLUMNS} values.`;
const QUOTE_NOT_CLOSED = 'The line has a quote that is not closed; nothing was read from here on.';
const TOO_LONG = 'The line is too long, or a quote is not closed; nothing was read from here on.';

export interface CsvDialect {
  separator: string;
  lineEnd: '\n' | '\r';
}

/** Where the next character is: before a value, in one, in quotes, or behind a quote that may close them. */
type ScanState = 'start' | 'plain' | 'quoted' | 'quote';

/**
 * Splits text into rows, however it is cut into pieces. What it holds is bounded: a line has at most `MAX_COLUMNS`
 * values and 192 Ki characters, whatever they are, and lines without a value leave nothing behind. A quote counts at
 * the beginning of a value only; one that is followed by other text belongs to the value, as in `5" pipe`.
 */
export class CsvScanner {
  /** Has just ended. */
  private row: CsvRow | UnreadableRow | null = null;
  private line = 1;
  /** Where the current row begins. */
  private from = 1;
  private values: string[] = [];
  private value = '';
  /** Whitespace behind a quote. */
  private gap = '';
  private place: ScanState = 'start';
  /** Characters of the current row. */
  private length = 0;
  private isBlank = true;
  private isTooWide = false;
  private hasFailed = false;

  constructor(private readonly dialect: CsvDialect) {}

  /** Whether nothing is read any more. */
  get failed(): boolean {
    return this.hasFailed;
  }

  /**
   * The rows that end in the text, one at a time: kept together, thousands of short ones would outlive the collection
   * of short-lived memory.
   */
  *read(text: string): Generator<CsvRow | UnreadableRow, void, undefined> {
    let at = 0;
    while (at < text.length && !this.hasFailed) {
      at = this.step(text, at);
      const row = this.taken();
      if (row) yield row;
    }
  }

  /** The row that the file ends in, where it ends in one. */
  *end(): Generator<CsvRow | UnreadableRow, void, undefined> {
    if (!this.hasFailed && this.place === 'quoted') this.fail(QUOTE_NOT_CLOSED);
    if (!this.hasFailed && this.length > 0) this.endRow();
    const row = this.taken();
    if (row) yield row;
  }

  private taken(): CsvRow | UnreadableRow | null {
    const { row } = this;
    this.row = null;
    return row;
  }

  /** Reads one sign, or all characters up to the next one; at most one row ends. @returns the next position */
  private step(text: string, at: number): number {
    const { separator, lineEnd } = this.dialect;
    const character = text[at] ?? '';
    if (this.place === 'quoted') return this.readQuoted(text, at);
    if (this.place === 'quote') return this.readBehindQuote(character, at);
    if (character === separator || character === lineEnd) return this.endValue(character, at);
    if (this.place === 'start') {
      if (character === '"') return this.enter('quoted', at);
      if (isWhitespace(character)) return this.count(1, at + 1);
      this.place = 'plain';
    }
    let end = at + 1;
    while (end < text.length && text[end] !== separator && text[end] !== lineEnd) end++;
    return this.add(text, at, end);
  }

  private endValue(character: string, at: number): number {
    const next = this.count(1, at + 1);
    if (this.hasFailed) return next;
    if (character === this.dialect.lineEnd) {
      this.endRow();
      this.from = ++this.line;
    } else this.pushValue();
    return next;
  }

  private readQuoted(text: string, at: number): number {
    const quote = text.indexOf('"', at);
    const end = quote < 0 ? text.length : quote;
    this.add(text, at, end);
    if (this.hasFailed) return end;
    const { lineEnd } = this.dialect;
    const inside = text.slice(at, end);
    for (let index = inside.indexOf(lineEnd); index >= 0; index = inside.indexOf(lineEnd, index + 1))
      this.line++;
    if (quote < 0) return end;
    return this.enter('quote', quote);
  }

  private readBehindQuote(character: string, at: number): number {
    const { separator, lineEnd } = this.dialect;
    const isEnd = character === separator || character === lineEnd;
    if (!isEnd && isWhitespace(character)) {
      this.gap += character;
      return this.count(1, at + 1);
    }
    if (character === '"' && this.gap === '') {
      this.value += '"';
      return this.enter('quoted', at);
    }
    this.place = 'plain';
    // Other text behind the quote: it closed nothing and belongs to the value.
    if (!isEnd) this.value = `"${this.value}"${this.gap}`;
    this.gap = '';
    return at;
  }

  private enter(place: ScanState, at: number): number {
    this.place = place;
    return this.count(1, at + 1);
  }

  private add(text: string, from: number, to: number): number {
    this.count(to - from, to);
    if (this.hasFailed || this.isTooWide) return to;
    this.value += text.slice(from, to);
    return to;
  }

  private count(characters: number, next: number): number {
    this.length += characters;
    if (this.length > MAX_LINE_CHARACTERS) this.fail(TOO_LONG);
    return next;
  }

  private pushValue(): void {
    this.place = 'start';
    if (this.values.length >= MAX_COLUMNS) this.isTooWide = true;
    if (this.isTooWide) return;
    const value = this.value.trimEnd();
    this.value = '';
    if (value !== '') this.isBlank = false;
    this.values.push(value);
  }

  private endRow(): void {
    this.pushValue();
    if (this.isTooWide) this.row = { line: this.from, problem: TOO_MANY_VALUES };
    else if (!this.isBlank) this.row = { line: this.from, values: this.values };
    if (this.isBlank || this.isTooWide) this.values.length = 0;
    else this.values = [];
    this.value = '';
    this.gap = '';
    this.length = 0;
    this.isBlank = true;
    this.isTooWide = false;
  }

  private fail(problem: string): void {
    this.hasFailed = true;
    this.row = { line: this.from, problem };
  }
}

const isWhitespace = (character: string): boolean => character === ' ' || character.trim() === '';
