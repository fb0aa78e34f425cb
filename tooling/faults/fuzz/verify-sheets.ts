import type { SheetCell } from './sheet-model.js';

export interface SheetLine extends SheetCell {
  /** Of the account. */
  country: string;
  /** The stored number; null: the line was refused. */
  imported: string | null;
}

/** Cells that every reader must accept: a reader that refuses everything must not pass. */
const UNHARMED = new Set(['text, as typed', 'a mark of text', 'odd characters', 'text with decimals']);

export function sheetProblems(lines: readonly SheetLine[]): string[] {
  if (lines.length === 0) return ['no cell was imported'];
  return lines.flatMap(({ cell, meant, imported, damage, country }) => {
    const what = `${damage}, ${country}: ${JSON.stringify(cell)}`;
    if (imported !== null && imported !== meant)
      return [`${what} was imported as ${imported}, meant was ${meant ?? 'none'}`];
    return imported === null && meant !== null && UNHARMED.has(damage) ? [`${what} was refused`] : [];
  });
}
