/** What a tenant saw of the service for a while. */
export interface Experience {
  /** Of GET /user/me, in milliseconds; a request without an answer counts with its time limit. */
  latenciesMs: readonly number[];
  /** Requests that were answered with something else than 200, or not at all. */
  failed: number;
  /** From the start of a campaign to the dial of its lead, in milliseconds; null: not dialled. */
  dialsMs: readonly (number | null)[];
}

const MAX_FACTOR = 5;
const MAX_P99_MS = 100;
const MAX_DIAL_MS = 2_000;
const MIN_SAMPLES = 100;
/** Fewer requests of the loud tenant are no load. */
const MIN_LOUD = 200;

/** Nearest rank. @param share 0–1 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

/** @param loudAnswers how many requests of the loud tenant were answered meanwhile */
export function neighbourProblems(quiet: Experience, loud: Experience, loudAnswers: number): string[] {
  const before = quantile(quiet.latenciesMs, 0.99);
  const after = quantile(loud.latenciesMs, 0.99);
  return [
    ...measurementProblems(quiet, loud, loudAnswers),
    ...(after > before * MAX_FACTOR
      ? [`GET /user/me: p99 ${after.toFixed(1)} ms is more than ${MAX_FACTOR} times ${before.toFixed(1)} ms`]
      : []),
    ...(after > MAX_P99_MS ? [`GET /user/me: p99 ${after.toFixed(1)} ms, allowed ${MAX_P99_MS}`] : []),
    ...(loud.failed > 0 ? [`GET /user/me: ${loud.failed} requests failed`] : []),
    ...loud.dialsMs.flatMap((ms, index) =>
      ms !== null && ms <= MAX_DIAL_MS ? [] : [dialProblem(ms, index)],
    ),
  ];
}

/** A run that measured nothing must not pass. */
function measurementProblems(quiet: Experience, loud: Experience, loudAnswers: number): string[] {
  return [
    ...(quiet.latenciesMs.length < MIN_SAMPLES || quiet.failed > 0
      ? ['the quiet service was not measured']
      : []),
    ...(loud.latenciesMs.length < 10 ? ['the loaded service was not measured'] : []),
    ...(quiet.dialsMs.some((ms) => ms === null) ? ['a lead was not dialled on the quiet service'] : []),
    ...(loud.dialsMs.length === 0 ? ['no lead was to be dialled under load'] : []),
    ...(loudAnswers < MIN_LOUD ? [`only ${loudAnswers} requests of the loud tenant were answered`] : []),
  ];
}

const dialProblem = (ms: number | null, index: number): string =>
  ms === null
    ? `dial ${index + 1}: the lead was not dialled`
    : `dial ${index + 1}: after ${ms.toFixed(0)} ms, allowed ${MAX_DIAL_MS}`;
