/** What one upload did to the service and to another tenant. */
export interface UploadCost {
  name: string;
  /** 0: no answer. */
  status: number;
  /** The most resident memory meanwhile, less that of the idle service. */
  aboveIdleMegabytes: number;
  /** Of the other tenant's requests, more than without an upload; infinite where one failed. */
  longestWaitMs: number;
  tookMs: number;
}

const MAX_MEGABYTES = 200;
const MAX_WAIT_MS = 250;
/** A body that is not read to its end gets an answer or the end of its connection. */
const ANSWERS: ReadonlySet<number> = new Set([0, 200, 400, 413, 415, 422]);

/** @param expected how many files were to be uploaded */
export function uploadProblems(costs: readonly UploadCost[], expected: number): string[] {
  return [
    ...(costs.length < expected
      ? [`only ${costs.length} of ${expected} files were uploaded: the service has ended`]
      : []),
    ...(expected === 0 ? ['no file was uploaded'] : []),
    ...costs.flatMap(({ name, status, aboveIdleMegabytes, longestWaitMs }) => [
      ...(ANSWERS.has(status) ? [] : [`${name}: ${status}`]),
      ...(aboveIdleMegabytes <= MAX_MEGABYTES
        ? []
        : [`${name}: ${aboveIdleMegabytes.toFixed(0)} MB above idle, allowed ${MAX_MEGABYTES}`]),
      ...(longestWaitMs <= MAX_WAIT_MS
        ? []
        : [`${name}: the other tenant waited ${longestWaitMs.toFixed(0)} ms, allowed ${MAX_WAIT_MS}`]),
    ]),
  ];
}
