export interface ClosedWindowObservations {
  /** Rows of leads that were written or locked while their campaigns ran outside their window. */
  written: number;
  /** From another account's request to start a campaign to its dial; null: never. */
  startToDialMs: (number | null)[];
}

export interface ShareObservations {
  /** Duration of each small campaign without the big one, in milliseconds. */
  aloneMs: number[];
  /** The same beside it. */
  besideMs: number[];
}

const START_TO_DIAL_MS = 500;
const SLOWER = 1.2;

/** Leads outside their window cost no write, and delay no other account. */
export function verifyClosedWindows({ written, startToDialMs }: ClosedWindowObservations): string[] {
  return [
    ...(written === 0 ? [] : [`${written} leads outside their window were written`]),
    ...startToDialMs
      .filter((ms) => ms === null || ms > START_TO_DIAL_MS)
      .map((ms) => `the other account's lead was dialled ${ms === null ? 'never' : `after ${ms} ms`}`),
  ];
}

/** A big campaign slows small ones down by a fifth at most: on average, and the slowest of them. */
export function verifyShares({ aloneMs, besideMs }: ShareObservations): string[] {
  const ratios: [string, number][] = [
    ['on average', mean(besideMs) / mean(aloneMs)],
    ['the slowest', Math.max(...besideMs) / Math.max(...aloneMs)],
  ];
  return ratios
    .filter(([, ratio]) => !(ratio <= SLOWER))
    .map(
      ([which, ratio]) =>
        `small campaigns took ${ratio.toFixed(2)} times as long beside a big one (${which})`,
    );
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
