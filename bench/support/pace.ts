/** How long and how hard: `BENCH_SECONDS` per turn, `BENCH_ROUNDS` turns, `BENCH_CONCURRENCY` requests at a time. */
export const SECONDS = positive('BENCH_SECONDS', 4);
export const ROUNDS = positive('BENCH_ROUNDS', 3);
export const CONCURRENCY = positive('BENCH_CONCURRENCY', 16);

/** A size of a data set that may be made smaller for a quick look. */
export function positive(name: string, fallback: number): number {
  const value = Number(process.env[name] ?? fallback);
  if (!(value > 0)) throw new Error(`${name} must be a number above 0, for example ${name}=${fallback}`);
  return value;
}
