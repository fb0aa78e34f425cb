/** Options of the command that a benchmark may use. */
export interface BenchOptions {
  /** A folder of recorded speech. */
  recordings?: string | null;
  /** A folder of the pages of a manual. */
  manual?: string | null;
}
