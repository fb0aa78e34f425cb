/** Minimum length of a piece: "Dr." and "1." end no sentence. */
const MIN_CHARACTERS = 12;
/** A sentence that does not end is cut at a comma or a space. */
const MAX_CHARACTERS = 300;

/** The first piece of a speech may end with a clause of this length, so that it starts early. */
const MIN_CLAUSE_CHARACTERS = 25;

const CLAUSE_END = /[,;:–—]\s+/gu;
const SENTENCE_END = /[.!?…]+["'”»)\]]*\s+|[。！？]+|\n+/gu;

/** Whether a piece ends in the middle of its sentence, after a clause. */
export const isClause = (piece: string): boolean => /[,;:–—]\s+$/u.test(piece);

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
    const ends = [
      this.firstEnd(SENTENCE_END, MIN_CHARACTERS),
      this.isFirst ? this.firstEnd(CLAUSE_END, MIN_CLAUSE_CHARACTERS) : Infinity,
    ];
    const end = Math.min(...ends);
    if (end <= MAX_CHARACTERS) return end;
    if (this.pending.length <= MAX_CHARACTERS) return 0;
    const head = this.pending.slice(0, MAX_CHARACTERS);
    const comma = head.search(/[,;:][^,;:]*$/u);
    const space = head.lastIndexOf(' ');
    return (comma >= MIN_CHARACTERS ? comma : space >= MIN_CHARACTERS ? space : MAX_CHARACTERS - 1) + 1;
  }

  /** The first end of at least this length; Infinity: none. */
  private firstEnd(pattern: RegExp, min: number): number {
    for (const { index, 0: mark } of this.pending.matchAll(pattern)) {
      if (index + mark.length >= min) return index + mark.length;
    }
    return Infinity;
  }
}
