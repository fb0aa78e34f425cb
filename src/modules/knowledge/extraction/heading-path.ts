const MAX_HEADING_LENGTH = 200;

/** The headings above the place that is being read. */
export class HeadingPath {
  private entries: { level: number; text: string }[] = [];

  /** @param level from 1; a heading ends all of its own and of deeper levels */
  add(level: number, text: string): void {
    const short = text.replace(/\s+/g, ' ').trim().slice(0, MAX_HEADING_LENGTH);
    if (short === '') return;
    this.entries = [...this.entries.filter((entry) => entry.level < level), { level, text: short }];
  }

  get texts(): string[] {
    return this.entries.map(({ text }) => text);
  }
}
