import type { ApiResponse } from '../support/api.js';

/** A request that a client repeated with one key until its response, and again afterwards. */
export interface Write {
  account: number;
  kind: string;
  /** A number, name or text that only rows of this request contain. */
  markers: string[];
  /** In order of arrival. */
  answers: ApiResponse[];
}

export interface ApiObservations {
  writes: Write[];
  /** Rows with the marker, by `countKey`. */
  rows: Map<string, number>;
  /** Requests to the carrier, by `countKey`; calls and messages only. */
  carried: Map<string, number>;
}

export const countKey = (kind: string, account: number, marker: string): string =>
  `${kind} ${marker} of account ${account}`;

/** Kinds that cause a request to the carrier. */
const CARRIED = new Set(['call', 'sms']);

/** Every acknowledged resource exists once, and its key always gets the same response. */
export function verifyApi({ writes, rows, carried }: ApiObservations): string[] {
  return writes.flatMap(({ account, kind, markers, answers }) => {
    const name = countKey(kind, account, markers[0] ?? '');
    const [first, ...again] = answers;
    if (!first) return [`${name} was never answered`];
    const problems = [
      ...(first.status < 300 ? [] : [`${name} was answered ${first.status} ${first.text}`]),
      ...again
        .filter(({ status, text }) => status !== first.status || text !== first.text)
        .map(
          ({ status, text }) => `${name} was answered ${status} ${text} after ${first.status} ${first.text}`,
        ),
      ...(again.every(({ replayed }) => replayed) ? [] : [`${name} was worked on again after its answer`]),
    ];
    const expected = first.status < 300 ? 1 : 0;
    for (const marker of markers) {
      const key = countKey(kind, account, marker);
      const count = rows.get(key) ?? 0;
      if (count !== expected) problems.push(`${key} exists ${count} times instead of ${expected}`);
      const reached = carried.get(key) ?? 0;
      if (CARRIED.has(kind) && reached > expected)
        problems.push(`${key} reached the carrier ${reached} times`);
    }
    return problems;
  });
}
