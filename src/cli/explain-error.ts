import { CommanderError } from 'commander';
import { EXIT } from './report.js';

interface Explanation {
  exitCode: number;
  /** Null: it has been said already. */
  text: string | null;
}

/** What a person is told of a failure: no stack, no statement. */
export function explain(error: unknown): Explanation {
  if (error instanceof CommanderError) {
    return { exitCode: error.exitCode === 0 ? EXIT.ok : EXIT.usage, text: null };
  }
  return { exitCode: EXIT.failed, text: messageOf(error) };
}

/** Node hides the reasons why no address could be reached in a list, and `fetch` hides its one in `cause`. */
export function messageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.map(messageOf).join('; ');
  if ('cause' in error && error.cause) return messageOf(error.cause);
  return 'message' in error && error.message ? String(error.message) : codeOf(error);
}

/** Of the system (`EACCES`) or of the database (`28P01`). */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error
    ? String(error.code)
    : 'unknown error';
}
