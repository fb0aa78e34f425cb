import { CommanderError } from 'commander';
import { toAmount } from '#src/common/money/micros.js';
import { toDateTime } from '#src/common/time/time.js';

/** Exits without an error when the reader of a pipe ends first: `npm run cli -- accounts list | head -1`. */
export function exitOnClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
}

interface Explanation {
  exitCode: number;
  /** Null when commander has printed the message. */
  text: string | null;
}

/** The message of an error for the terminal, without stack and SQL. */
export function toExplanation(error: unknown): Explanation {
  if (error instanceof CommanderError) {
    return { exitCode: error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage, text: null };
  }
  return { exitCode: EXIT_CODES.failed, text: toErrorMessage(error) };
}

/** Node puts the errors of several addresses into `errors`; `fetch` puts its own into `cause`. */
export function toErrorMessage(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.map(toErrorMessage).join('; ');
  if ('cause' in error && error.cause) return toErrorMessage(error.cause);
  return 'message' in error && error.message ? String(error.message) : toErrorCode(error);
}

/** A system error code (`EACCES`) or an SQLSTATE (`28P01`). */
export function toErrorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error
    ? String(error.code)
    : 'unknown error';
}

/** Aligned columns; columns of numbers are right-aligned. */
export function formatTable(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
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

/** Two to six decimals: `25.00`, `0.0125`. */
export const formatMoney = (micros: bigint): string =>
  toAmount(micros)
    .toFixed(6)
    .replace(/0{1,4}$/, '');

/** UTC; `never` for null. */
export const formatDateTime = (date: Date | null): string => (date === null ? 'never' : toDateTime(date));

/** `1 account`, `2 accounts`. */
export const formatQuantity = (count: number, thing: string): string =>
  `${count} ${thing}${count === 1 ? '' : 's'}`;

/** The result of a command. */
export interface Report {
  /** Printed with `--json`. */
  data: unknown;
  /** Printed without `--json`. */
  text: string;
  /** True when a check found a problem: exit code 1. */
  failed?: boolean;
}

const EXIT_CODES = { ok: 0, failed: 1, usage: 2 } as const;

export function printReport({ data, text, failed }: Report, json: boolean): void {
  process.stdout.write(`${json ? JSON.stringify(data, null, 2) : text}\n`);
  if (failed) process.exitCode = EXIT_CODES.failed;
}
