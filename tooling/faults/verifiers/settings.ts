/** A mutation, and the scenario that noticed it; null: it survived. */
export interface Verdict {
  mutation: string;
  caughtBy: string | null;
}

/** Every value that is replaced has to be missed by a scenario. */
export function verifySettings(verdicts: readonly Verdict[]): string[] {
  if (verdicts.length === 0) return ['nothing was replaced'];
  return verdicts
    .filter(({ caughtBy }) => caughtBy === null)
    .map(({ mutation }) => `${mutation}: no scenario misses it`);
}
