import { toAmount } from '#src/common/money/micros.js';
import { toDateTime } from '#src/common/time/format.js';

/** Columns under their headings, two spaces apart; numbers to the right. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const texts = rows.map((row) => row.map(String));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...texts.map((row) => row[column]?.length ?? 0)),
  );
  const isNumeric = headings.map((_, column) => rows.every((row) => typeof row[column] === 'number'));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return isNumeric[column] ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return [headings.map((heading) => heading.toUpperCase()), ...texts].map(line).join('\n');
}

type Cell = string | number;

/** At least two decimals, and as many more as there are: `0.0125`. */
export const money = (micros: bigint): string =>
  toAmount(micros)
    .toFixed(6)
    .replace(/0{1,4}$/, '');

/** UTC; `never` for a date that does not come. */
export const dateTime = (date: Date | null): string => (date === null ? 'never' : toDateTime(date));

/** `1 account`, `2 accounts`. */
export const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;
