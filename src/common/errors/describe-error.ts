import { sqlState } from './sql-state.js';

/** For the log: class and frames, and the text unless it is a database error's, which may quote a caller's data. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '));
  const state = sqlState(error);
  const safe = state === null ? `${error.name}: ${error.message}` : `${error.name} (SQLSTATE ${state})`;
  return [safe, ...frames].join('\n');
}
