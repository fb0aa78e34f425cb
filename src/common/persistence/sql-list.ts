/** For `IN`: a list of constants of the code, never of what a client sent. */
export const sqlList = (names: readonly string[]): string =>
  `(${names.map((name) => `'${name}'`).join(', ')})`;
