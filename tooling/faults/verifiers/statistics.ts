export interface StatisticsObservations {
  /** Number of calls by status of each account: in the API's response, and counted in the table of calls. */
  accounts: { id: number; shown: Record<string, number>; counted: Record<string, number> }[];
  /** Exit code and output of `accounts verify`, which counts every property anew. */
  verify: { code: number | null; text: string };
}

/** Analytics count each finished call once. */
export function verifyStatistics({ accounts, verify }: StatisticsObservations): string[] {
  return [
    ...accounts.flatMap(({ id, shown, counted }) =>
      [...new Set([...Object.keys(shown), ...Object.keys(counted)])]
        .filter((status) => (shown[status] ?? 0) !== (counted[status] ?? 0))
        .map(
          (status) =>
            `analytics of account ${id} show ${shown[status] ?? 0} calls as ${status}, ` +
            `${counted[status] ?? 0} are stored`,
        ),
    ),
    ...(verify.code === 0 ? [] : [`accounts verify ended with ${verify.code}: ${verify.text.trim()}`]),
  ];
}
