/** SQLSTATE of a database error, e.g. `23505` for a unique violation; null for any other error. */
export function sqlState(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  const source = 'driverError' in error ? error.driverError : error;
  if (typeof source !== 'object' || source === null || !('code' in source)) return null;
  return typeof source.code === 'string' && /^[0-9A-Z]{5}$/.test(source.code) ? source.code : null;
}
