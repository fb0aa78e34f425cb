/** Measurements of one tenant. */
export interface Experience {
  /** Of GET /user/me, in ms; requests without a response count with the time limit. */
  latenciesMs: readonly number[];
  /** Requests without a 200. */
  failed: number;
  /** From the start of a campaign to the dial of its lead, in ms; null: not dialled. */
  dialsMs: readonly (number | null)[];
}

const MAX_FACTOR = 5;
/** Or `MAX_FACTOR` times the longest on the quiet service, on a slower machine. */
const MAX_DIAL_MS = 2_000;
const MIN_SAMPLES = 100;
/** Minimum of responses to the noisy tenant: a run without load must not pass. */
const MIN_NOISY_ANSWERS = 200;

/** Nearest rank. @param share 0–1 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

/** @param noisyAnswers number of responses to the noisy tenant */
export function neighbourProblems(quiet: Experience, loaded: Experience, noisyAnswers: number): string[] {
  const before = quantile(quiet.latenciesMs, 0.99);
  const after = quantile(loaded.latenciesMs, 0.99);
  const maxDialMs = Math.max(MAX_DIAL_MS, ...quiet.dialsMs.map((ms) => MAX_FACTOR * (ms ?? 0)));
  return [
    ...measurementProblems(quiet, loaded, noisyAnswers),
    ...(after > before * MAX_FACTOR
      ? [`GET /user/me: p99 ${after.toFixed(1)} ms is more than ${MAX_FACTOR} times ${before.toFixed(1)} ms`]
      : []),
    ...(loaded.failed > 0 ? [`GET /user/me: ${loaded.failed} requests failed`] : []),
    ...loaded.dialsMs.flatMap((ms, index) =>
      ms !== null && ms <= maxDialMs ? [] : [dialProblem(ms, index, maxDialMs)],
    ),
  ];
}

/** A run without measurements must not pass. */
function measurementProblems(quiet: Experience, loaded: Experience, noisyAnswers: number): string[] {
  return [
    ...(quiet.latenciesMs.length < MIN_SAMPLES || quiet.failed > 0
      ? ['the quiet service was not measured']
      : []),
    ...(loaded.latenciesMs.length < 10 ? ['the loaded service was not measured'] : []),
    ...(quiet.dialsMs.some((ms) => ms === null) ? ['a lead was not dialled on the quiet service'] : []),
    ...(loaded.dialsMs.length === 0 ? ['no lead was to be dialled under load'] : []),
    ...(noisyAnswers < MIN_NOISY_ANSWERS
      ? [`only ${noisyAnswers} requests of the noisy tenant were answered`]
      : []),
  ];
}

const dialProblem = (ms: number | null, index: number, maxMs: number): string =>
  ms === null
    ? `dial ${index + 1}: the lead was not dialled`
    : `dial ${index + 1}: after ${ms.toFixed(0)} ms, allowed ${maxMs.toFixed(0)}`;
