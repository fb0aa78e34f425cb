/** Load: `BENCH_SECONDS` per round, `BENCH_ROUNDS` rounds, `BENCH_CONCURRENCY` parallel requests. */
export const SECONDS = positive('BENCH_SECONDS', 4);
export const ROUNDS = positive('BENCH_ROUNDS', 3);
export const CONCURRENCY = positive('BENCH_CONCURRENCY', 16);

/** A positive number from the environment, e.g. a smaller data set for a short run. */
export function positive(name: string, fallback: number): number {
  const value = Number(process.env[name] ?? fallback);
  if (!(value > 0)) throw new Error(`${name} must be a number above 0, for example ${name}=${fallback}`);
  return value;
}
