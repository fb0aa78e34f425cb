/** A mutation, and the scenario that detects it; null: it survived. */
export interface Verdict {
  mutation: string;
  caughtBy: string | null;
}

/** A scenario has to detect every replaced value. */
export function verifySettings(verdicts: readonly Verdict[]): string[] {
  if (verdicts.length === 0) return ['nothing was replaced'];
  return verdicts
    .filter(({ caughtBy }) => caughtBy === null)
    .map(({ mutation }) => `${mutation}: no scenario misses it`);
}
