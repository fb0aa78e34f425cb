/** A piece this short is not spoken by itself: "Dr." and "1." end no sentence. */
const MIN_CHARACTERS = 12;
/** A sentence that does not end is cut at a comma or a space. */
const MAX_CHARACTERS = 300;

const SENTENCE_END = /[.!?…]+["'”»)\]]*\s+|[。！？]+|\n+/gu;

/** Cuts text that comes in tokens into pieces that are spoken one by one. The pieces together are the text. */
export class SentenceCutter {
  private pending = '';

  /** @returns the pieces that are complete */
  push(token: string): string[] {
    this.pending += token;
    const pieces: string[] = [];
    for (let end = this.end(); end > 0; end = this.end()) {
      pieces.push(this.pending.slice(0, end));
      this.pending = this.pending.slice(end);
    }
    return pieces;
  }

  /** @returns what is left */
  flush(): string {
    const rest = this.pending;
    this.pending = '';
    return rest;
  }

  private end(): number {
    for (const { index, 0: mark } of this.pending.matchAll(SENTENCE_END)) {
      const end = index + mark.length;
      if (end > MAX_CHARACTERS) break;
      if (end >= MIN_CHARACTERS) return end;
    }
    if (this.pending.length <= MAX_CHARACTERS) return 0;
    const head = this.pending.slice(0, MAX_CHARACTERS);
    const comma = head.search(/[,;:][^,;:]*$/u);
    const space = head.lastIndexOf(' ');
    return (comma >= MIN_CHARACTERS ? comma : space >= MIN_CHARACTERS ? space : MAX_CHARACTERS - 1) + 1;
  }
}
