/** SQLSTATE of a row that a unique index refuses. */
export const UNIQUE_VIOLATION = '23505';

/** SQLSTATE of a database error, e.g. `23505` for a unique violation; null for any other error. */
export function sqlState(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  const source = 'driverError' in error ? error.driverError : error;
  if (typeof source !== 'object' || source === null || !('code' in source)) return null;
  return typeof source.code === 'string' && /^[0-9A-Z]{5}$/.test(source.code) ? source.code : null;
}

/** For the log: class and frames, and the text unless it is a database error's, which may quote a caller's data. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '));
  const state = sqlState(error);
  const safe = state === null ? `${error.name}: ${error.message}` : `${error.name} (SQLSTATE ${state})`;
  return [safe, ...frames].join('\n');
}
