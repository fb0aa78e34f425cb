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

/** Node hides the reasons why no address could be reached in a list, and leaves the message empty. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error && error.message ? error.message : String(error);
}
