/** The effect of one upload on the service and on another tenant. */
export interface UploadCost {
  name: string;
  /** 0: no response. */
  status: number;
  /** Maximum resident memory during the upload, minus the idle service's. */
  aboveIdleMegabytes: number;
  /** Of the other tenant's requests, above the latency without an upload; infinite after a failure. */
  longestWaitMs: number;
  tookMs: number;
}

const MAX_MEGABYTES = 200;
const MAX_WAIT_MS = 250;
/** An upload without a response hangs. A file of 5.9 million leads takes a processor about 300 s in a dry run. */
export const ANSWER_TIMEOUT_MS = 900_000;
/** A body that is not read to its end gets a response or the end of its connection. */
const ANSWERS: ReadonlySet<number> = new Set([0, 200, 400, 413, 415, 422]);

/** @param expected number of files */
export function uploadProblems(costs: readonly UploadCost[], expected: number): string[] {
  return [
    ...(costs.length < expected
      ? [`only ${costs.length} of ${expected} files were uploaded: the service has ended`]
      : []),
    ...(expected === 0 ? ['no file was uploaded'] : []),
    ...costs.flatMap(({ name, status, aboveIdleMegabytes, longestWaitMs, tookMs }) => [
      ...(ANSWERS.has(status) ? [] : [`${name}: ${status}`]),
      ...(status === 0 && tookMs >= ANSWER_TIMEOUT_MS
        ? [`${name}: no response within ${ANSWER_TIMEOUT_MS / 1000} s`]
        : []),
      ...(aboveIdleMegabytes <= MAX_MEGABYTES
        ? []
        : [`${name}: ${aboveIdleMegabytes.toFixed(0)} MB above idle, allowed ${MAX_MEGABYTES}`]),
      ...(longestWaitMs <= MAX_WAIT_MS
        ? []
        : [`${name}: the other tenant waited ${longestWaitMs.toFixed(0)} ms, allowed ${MAX_WAIT_MS}`]),
    ]),
  ];
}
