/** For `IN`: a list of constants, never of a client's values. */
export const toSqlList = (names: readonly string[]): string =>
  `(${names.map((name) => `'${name}'`).join(', ')})`;
