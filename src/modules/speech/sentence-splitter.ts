/** Minimum length of a piece, in which a character of Chinese, Japanese or Korean counts as two. */
const MIN_CHARACTERS = 12;
/** A sentence that does not end is cut at a comma or a space. */
const MAX_CHARACTERS = 300;

/** The first piece of a speech may end with a clause of this length, so that it starts early. */
const MIN_CLAUSE_CHARACTERS = 25;

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const lengthOf = (text: string): number => text.length + (text.match(WIDE)?.length ?? 0);

const CLAUSE_END = /[,;:–—،؛]\s+|[，、；：]\s*/gu;
const SENTENCE_END = /[.!?…।؟۔]+["'”“’»)\]*]*\s+|[。！？]+["'”“’»)\]」』*]*\s*|\n+/gu;
/** Words before a period that end no sentence: ordinals ("20. November"), initials, titles and units of text. */
const ABBREVIATION =
  /(?<![\p{L}\p{N}])(?:[\p{Lu}\p{Ll}]|dr|dra|prof|mr|mrs|ms|mme|mlle|sr|sra|srta|st|hr|fr|dott|sig|avv|ing|dhr|mevr|nr|tel|str|ca|approx|bzw|ggf|inkl|evtl|ul|тел|ул|им|руб|тыс)$|(?<![^\s/–-])\d{1,2}$/iu;
/** Longer than an abbreviation, with the character before it. */
const ABBREVIATION_CHARACTERS = 10;

/** Whether a piece ends in the middle of its sentence, after a clause. */
export const isClause = (piece: string): boolean => /(?:[,;:–—،؛]\s+|[，、；：]\s*)$/u.test(piece);

const clauseEnds = (text: string): number[] =>
  [...text.matchAll(CLAUSE_END)].map(({ index, 0: mark }) => index + mark.length);

/** Where the sentences of a text end, after the blank that follows the mark; without one, the text may go on ("3.5"). */
export const sentenceEnds = (text: string): number[] =>
  [...text.matchAll(SENTENCE_END)]
    .filter(({ index, 0: mark }) => !(mark.startsWith('.') && isAbbreviation(text.slice(0, index))))
    .map(({ index, 0: mark }) => index + mark.length);

const isAbbreviation = (text: string): boolean => ABBREVIATION.test(text.slice(-ABBREVIATION_CHARACTERS));

/** Whether the text ends with a sentence, and nothing follows. */
export const endsSentence = (text: string): boolean => sentenceEnds(`${text} `).at(-1) === text.length + 1;

/** Splits streamed text into pieces for synthesis. The pieces joined are the text. */
export class SentenceSplitter {
  private pending = '';
  private isFirst = true;

  /** @returns the pieces that are complete */
  push(token: string): string[] {
    this.pending += token;
    const pieces: string[] = [];
    for (let end = this.end(); end > 0; end = this.end()) {
      pieces.push(this.pending.slice(0, end));
      this.pending = this.pending.slice(end);
      this.isFirst = false;
    }
    return pieces;
  }

  /** @returns the rest of the text */
  flush(): string {
    const rest = this.pending;
    this.pending = '';
    this.isFirst = true;
    return rest;
  }

  private end(): number {
    const end = Math.min(
      this.firstOf(sentenceEnds(this.pending), MIN_CHARACTERS),
      this.isFirst ? this.firstOf(clauseEnds(this.pending), MIN_CLAUSE_CHARACTERS) : Infinity,
    );
    if (end <= MAX_CHARACTERS) return end;
    if (this.pending.length <= MAX_CHARACTERS) return 0;
    const head = this.pending.slice(0, MAX_CHARACTERS);
    const comma = head.search(/[,;:،؛，、；：][^,;:،؛，、；：]*$/u);
    const space = head.lastIndexOf(' ');
    return (comma >= MIN_CHARACTERS ? comma : space >= MIN_CHARACTERS ? space : MAX_CHARACTERS - 1) + 1;
  }

  /** The first end of a piece of at least this length; Infinity: none. */
  private firstOf(ends: readonly number[], min: number): number {
    return ends.find((end) => lengthOf(this.pending.slice(0, end)) >= min) ?? Infinity;
  }
}
